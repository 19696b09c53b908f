/** Attempts without a complete response, in words. */
import { type FailureParts, TRY_LATER } from './failure';
import { BAD_CERTIFICATE, classifyNetworkError } from './retry';
import { clean } from './text';

const CHECK_NETWORK = "Check 'Base URL' in the credential and the network of n8n.";

/** What happened and what to do, by network problem or by one of the package's own codes. */
const SENTENCES: Record<string, [message: string, nextStep: string]> = {
	notFound: ['The host name of the base URL was not found', CHECK_NETWORK],
	refused: ['Could not connect to Wherobots Cloud', CHECK_NETWORK],
	timeout: ['Wherobots Cloud did not respond in time', TRY_LATER],
	certificate: [
		'The certificate of the base URL is not trusted',
		"Check 'Base URL' in the credential, or add your network's certificate to those that n8n trusts.",
	],
	other: ['The connection to Wherobots Cloud was lost', TRY_LATER],
	SSRF_BLOCKED: [
		'This n8n does not allow requests to the base URL',
		"Check 'Base URL' in the credential, or ask your n8n administrator to allow the address.",
	],
	CREDENTIAL_UNREADABLE: [
		'n8n could not load the Wherobots API credential',
		'Nothing was sent to Wherobots Cloud.',
	],
	CREDENTIAL_UNUSABLE: [
		'The Wherobots API credential cannot be used',
		'Nothing was sent to Wherobots Cloud. Correct the credential.',
	],
	TRUNCATED: ['The response from Wherobots Cloud was incomplete', TRY_LATER],
};

const ADDRESS_AT_FAULT = /^(ENOTFOUND$|ERR_INVALID)/;

/** Explains an attempt without a complete response. `detail` is the HTTP client's message. Pure. */
export function describeNetwork(code: string, detail: string): FailureParts {
	const [message, step] =
		SENTENCES[Object.hasOwn(SENTENCES, code) ? code : classifyNetworkError(code)];
	return {
		...{ message, description: clean(detail), nextStep: step },
		addressAtFault: ADDRESS_AT_FAULT.test(code) || BAD_CERTIFICATE.test(code),
	};
}
