import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { DEFAULT_BASE_URL, USER_AGENT } from '../nodes/Wherobots/service/deployment';
import { parseSecret, toSecretHeader } from '../nodes/Wherobots/transport/credential';
import { isSafe } from '../nodes/Wherobots/transport/http';

/** Where people create and revoke keys. */
const API_KEYS_PAGE = 'https://cloud.wherobots.com/settings#api-keys';

/**
 * One credential for both ways to authenticate (interface, "Authentication"). Its test is a method of
 * the nodes: n8n 1 loses what a declarative test has to say about a response with an error status.
 */
export class WherobotsApi implements ICredentialType {
	name = 'wherobotsApi';

	displayName = 'Wherobots API';

	icon = {
		light: 'file:../icons/wherobots.svg',
		dark: 'file:../icons/wherobots.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-wherobots/n8n-nodes-wherobots/blob/main/docs/credentials.md';

	httpRequestNode = {
		name: 'Wherobots Cloud',
		docsUrl: 'https://docs.wherobots.com',
		apiBaseUrlPlaceholder: `${DEFAULT_BASE_URL}/runs`,
	};

	properties: INodeProperties[] = [
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{
					name: 'API Key',
					value: 'apiKey',
					description: 'A key of your own account or of a service principal',
				},
				{
					name: 'Bearer Token',
					value: 'bearerToken',
					description: 'An access token of a signed-in session',
				},
			],
			default: 'apiKey',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			hint: `Create one in Wherobots Cloud under <a href="${API_KEYS_PAGE}" target="_blank">Settings > API Keys</a>`,
			displayOptions: { show: { authentication: ['apiKey'] } },
		},
		{
			displayName: 'Bearer Token',
			name: 'bearerToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Only the token, without the word Bearer',
			displayOptions: { show: { authentication: ['bearerToken'] } },
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: DEFAULT_BASE_URL,
			placeholder: `e.g. ${DEFAULT_BASE_URL}`,
			description:
				'Address of the API. Keep the default unless your organization has its own deployment.',
		},
	];

	/** Adds the header for the chosen authentication; the other field's value is never sent. */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		assertEncrypted(requestOptions);
		const secret = parseSecret(credentials);
		if (!secret.ok) throw new Error(secret.problem);
		return {
			...requestOptions,
			headers: {
				'User-Agent': USER_AGENT,
				...requestOptions.headers,
				...toSecretHeader(secret),
			},
		};
	};
}

/** n8n's HTTP Request node passes options of an older type, with the address in `uri`. */
type AnyRequestOptions = IHttpRequestOptions & { uri?: string };

/** The secret leaves this machine only over https, whichever node sends it. */
function assertEncrypted({ baseURL, url, uri }: AnyRequestOptions): void {
	if (isSafe(url || uri || '', baseURL || undefined)) return;
	throw new Error(
		'The Wherobots API credential is only sent over https://. Correct the URL of the request.',
	);
}
