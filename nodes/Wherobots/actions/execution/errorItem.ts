import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Failure } from '../../transport/failure';

/**
 * The output item in place of an input item that failed: everything known, under the single key
 * `error`.
 *
 * n8n is why the key stands alone. An item that carries its error in n8n's own property `error` loses
 * its JSON: n8n replaces it with the message. Without that property, an item goes to the error output
 * when its JSON has no key but `error` (n8n 1: `error`, or `error` and `message`; n8n 2: also
 * `details`); there n8n adds the JSON of the input item. Retry on Fail also checks for JSON with
 * `error`.
 *
 * docs/errors.md documents the fields.
 */
export function errorItem(failure: Failure, item: number): INodeExecutionData {
	const { message, description, facts, parts } = failure;
	const { codes = [], temporary, ambiguous } = parts;
	const status = Number(parts.httpCode);
	const details: IDataObject = {
		message,
		...(description ? { description } : {}),
		...(status ? { httpCode: status } : {}),
		...(codes.length > 0 ? { codes } : {}),
		...(temporary && !ambiguous ? { temporary } : {}),
		...facts,
	};
	return { json: { error: details }, pairedItem: { item } };
}
