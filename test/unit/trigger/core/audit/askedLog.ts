import type { IDataObject } from 'n8n-workflow';

import type { AuditSource } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { AuditPage, Range } from '../../../../../nodes/Wherobots/trigger/core/source';
import { AskedSource } from '../askedSource';
import { iso } from '../slowService';

/** An event at a time of whole milliseconds, given in microseconds. */
export const event = (id: string, time: number): IDataObject => ({
	event_id: id,
	event_time: iso(time),
});

/** What a poll asks for: the range's start and end, the cursor, and where it may be cut. */
export type AskedRange = [start: number, end?: number, cursor?: string, maxRecords?: number];

/** An audit log whose pages a test decides. */
export class AskedLog extends AskedSource<AskedRange> implements AuditSource {
	way: AuditSource['way'] = 'query';

	constructor(
		private readonly page: (
			range: Range,
			cursor?: string,
			maxRecords?: number,
		) => AuditPage | Error,
	) {
		super();
	}

	events: AuditSource['events'] = async (range, cursor, maxRecords) => {
		const asked = [range.start, range.end, cursor, maxRecords];
		while (asked.length > 0 && asked.at(-1) === undefined) asked.pop();
		this.note(asked as AskedRange);
		const page = this.page(range, cursor, maxRecords);
		if (page instanceof Error) throw page;
		return await Promise.resolve(page);
	};
}
