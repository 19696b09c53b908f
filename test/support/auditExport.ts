import { parse } from 'csv-parse/sync';
import type { INodeExecutionData } from 'n8n-workflow';

import type { Sandbox } from '../sandbox';

export const exportDay = { resource: 'auditLog', operation: 'export', timeRange: 'previousDay' };

/** Parameters for an export of any range. */
export const customRange = (from: string, to: string) => ({
	...exportDay,
	timeRange: 'custom',
	from,
	to,
});

/** Events one microsecond before, at and after each of these times. */
export function recordAround(sandbox: Sandbox, ...times: string[]): void {
	for (const at of times) {
		const ms = Date.parse(at);
		for (const micros of [-1, 0, 1]) {
			sandbox.store.recordEvent({
				event_id: `${at}${micros < 0 ? '-' : '+'}${Math.abs(micros)}`,
				event_time: ms + micros / 1000,
			});
		}
	}
}

/** The file of an item that `runNode` has given. */
export function fileBytes({ binary }: INodeExecutionData, field = 'data'): Buffer {
	return Buffer.from(binary?.[field].data ?? '', 'base64');
}

export function rowsOf(item: INodeExecutionData): Array<Record<string, string>> {
	return parse(fileBytes(item), { columns: true, bom: true });
}
