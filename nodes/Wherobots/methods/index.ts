/** What the editor calls: the test of a credential, and while the user fills in the form, lists and forms. */
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { parseBaseUrl } from '../service/deployment';
import { endpoints } from '../service/endpoints';
import { isRecord } from '../service/records';
import { parseSecret, toSecretHeader, listSecrets } from '../transport/credential';
import { CHECK_SECRET, describeFailed } from '../transport/explain';
import { Failure, type FailureParts, toFailure, toNodeError } from '../transport/failure';
import { send, type SendResult } from '../transport/http';
import { describeNetwork } from '../transport/retry';
import { cleanForErrors } from '../transport/secrets';
import { PICKER_TIMEOUT_MS } from './choices';
import * as lists from './lists';
import * as mappers from './mappers';

/** What n8n shows for statuses that point to a mistake in the credential. */
const EXPLANATIONS: Record<number, string> = {
	401: `Wherobots Cloud did not accept the API key or token. ${CHECK_SECRET}`,
	403: 'The key or token is valid, but its account is not allowed to list job runs.',
	404: "Wherobots Cloud was not found at this address. Check 'Base URL'.",
};
const SOMETHING_ELSE = "Something other than Wherobots Cloud responded there. Check 'Base URL'.";

/**
 * Tests a credential with the cheapest request that the interface documents: one page with one job
 * run, without a retry. A method and not `test` of the credential, because n8n 1 drops the cause of an
 * error of its HTTP client and with it the status by which a declarative test chooses its message.
 */
async function testWherobotsApi(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const base = parseBaseUrl(data.baseUrl);
	if (!base.ok) return toFailed(base.problem);
	const secret = parseSecret(data);
	if (!secret.ok) return toFailed(secret.problem);

	// The only request helper that n8n offers to credential tests.
	const { request } = this.helpers;
	const requester = {
		request: async ({ url, headers, qs, timeout }: Parameters<Requester['request']>[0]) =>
			(await request({
				method: 'GET',
				uri: url,
				qs,
				headers: { ...headers, ...toSecretHeader(secret) },
				timeout,
				json: false,
				simple: false,
				resolveWithFullResponse: true,
				// A redirect would carry the key to wherever it points.
				followRedirect: false,
			})) as unknown,
	};
	const sent = await send(requester, {
		method: 'GET',
		url: `${base.url}/runs`,
		query: { size: 1 },
		encoding: 'text',
		timeoutMs: PICKER_TIMEOUT_MS,
		totalTimeoutMs: PICKER_TIMEOUT_MS,
	});
	return judge(cleanForErrors(sent, listSecrets(data)));
}

type Requester = Parameters<typeof send>[0];

function judge(sent: SendResult): INodeCredentialTestResult {
	if (sent.kind === 'network')
		return toFailed(joinSentences(describeNetwork(sent.code, sent.detail)));
	// A list of job runs has items; other responses of web servers do not.
	if (sent.kind === 'json' && isRecord(sent.body) && Array.isArray(sent.body.items)) {
		return { status: 'OK', message: 'Connection successful!' };
	}
	if (sent.kind !== 'response') return toFailed(SOMETHING_ELSE);
	return toFailed(
		EXPLANATIONS[sent.status] ?? joinSentences(describeFailed(endpoints.listRuns, sent)),
	);
}

/** The facts of a failure in one line. */
function joinSentences(parts: FailureParts): string {
	const { message, description } = new Failure(parts);
	return [message, ...description.split('\n')]
		.filter(Boolean)
		.map((fact) => (/[.!?…]$/.test(fact) ? fact : `${fact}.`))
		.join(' ');
}

function toFailed(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}

const { getActionNames, ...listSearches } = lists;
const { getColumns, searchApiRequests, searchVersions, ...forms } = mappers;
const searches = { ...listSearches, searchApiRequests, searchVersions };

type Method = (this: ILoadOptionsFunctions, ...given: string[]) => Promise<unknown>;

/** Methods whose errors are explained in plain text: unlike the error panel, the editor does not render HTML. */
function explainFailures<M extends Record<string, Method>>(named: M): M {
	const explain = (method: Method): Method =>
		async function (...given) {
			return await method.apply(this, given).catch((error: unknown) => {
				const failure = toFailure(error);
				const { description } = failure;
				throw Object.assign(toNodeError(this.getNode(), failure), { description });
			});
		};
	const entries = Object.entries(named).map(([name, method]) => [name, explain(method)]);
	return Object.fromEntries(entries) as M;
}

/** By the names in the descriptions of the nodes and their fields. */
export const methods = {
	credentialTest: { testWherobotsApi },
	listSearch: explainFailures(searches),
	loadOptions: explainFailures({ getActionNames, getColumns }),
	resourceMapping: explainFailures(forms),
};
