import {
	NodeApiError,
	type IDataObject,
	type INodeExecutionData,
	type NodeOperationError,
} from 'n8n-workflow';

import { explanationOf, factsOf, isAmbiguous, isTemporary } from '../transport/failures/errors';

/**
 * The output item in the place of an input item that failed: everything known, under the single key
 * `error`.
 *
 * n8n is why the key stands alone. An item that carries its error in n8n's own property `error` loses
 * its JSON: n8n replaces it by the message. Without that property, an item goes to the error output
 * when its JSON has no key but `error` (n8n 1: `error`, or `error` and `message`; n8n 2: also
 * `details`); there n8n adds the JSON of the input item. Retry on Fail also checks for JSON with
 * `error`.
 *
 * docs/errors.md documents the fields.
 */
export function errorItem(
	error: NodeApiError | NodeOperationError,
	item: number,
): INodeExecutionData {
	const description = explanationOf(error);
	const { httpCode, codes } = serviceFacts(error);
	const details: IDataObject = {
		message: error.message,
		...(description ? { description } : {}),
		...(httpCode ? { httpCode } : {}),
		...(codes.length > 0 ? { codes } : {}),
		...(isTemporary(error) && !isAmbiguous(error) ? { temporary: true } : {}),
		...factsOf(error),
	};
	return { json: { error: details }, pairedItem: { item } };
}

function serviceFacts(error: NodeApiError | NodeOperationError) {
	if (!(error instanceof NodeApiError)) return { codes: [] };
	const codes = error.context.codes as string[] | undefined;
	return { httpCode: Number(error.httpCode) || undefined, codes: codes ?? [] };
}
