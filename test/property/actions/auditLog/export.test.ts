import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import { AUDIT_COLUMNS } from '../../../../nodes/Wherobots/service/records/auditEvent';
import { formatTime, parseTime, type Micros } from '../../../../nodes/Wherobots/service/time';
import { liveInSandboxTime, runNode } from '../../../engine/harness';
import { ManualClock, startSandbox, type EventDraft, type Sandbox } from '../../../sandbox';
import { customRange, fileBytes } from '../../../support/auditExport';
import { forAll } from '../../../support/forAll';
import { runs } from '../../../support/runs';

type Row = Record<string, string>;

const FIRST = parseTime('2026-11-16T22:00:00Z') as Micros;
const LAST = parseTime('2026-11-19T02:00:00Z') as Micros;
const HOUR = 3_600_000_000;
const ZONES = ['UTC', 'Asia/Kathmandu', 'America/New_York'];

/** Full hours and the microseconds beside them, times that several events share, and any others. */
const time = fc.oneof(
	fc
		.tuple(fc.integer({ min: 0, max: 51 }), fc.constantFrom(-1, 0, 1))
		.map(([hour, beside]) => FIRST + hour * HOUR + beside),
	fc.constantFrom(FIRST + HOUR, FIRST + 25 * HOUR),
	fc.integer({ min: FIRST, max: LAST }),
);

const text = fc.oneof(
	fc.string({ unit: 'grapheme', maxLength: 12 }),
	fc.constantFrom('', '"', '""', ',', '\n', '\r\n', '\r', ' a ', '\uFEFF', '=1+1', 'a"b', '"\n",'),
);

const event = fc.record({
	event_time: time.map(formatTime),
	user_agent: text,
	user_name: text,
	resource_name: fc.option(text),
	compute_region: text,
});

const setting = fc.record({
	events: fc.array(event, { maxLength: 25 }),
	range: fc.tuple(time, time).filter(([one, other]) => one !== other),
	split: fc.constantFrom('none', 'hour', 'day', 'month'),
	timezone: fc.constantFrom(...ZONES),
	variants: fc.record({
		exportBom: fc.boolean(),
		exportQuotedNewlines: fc.boolean(),
		exportLineEnd: fc.constantFrom<Array<'\n' | '\r\n'>>('\n', '\r\n'),
		exportFraming: fc.constantFrom<Array<'chunked' | 'length'>>('chunked', 'length'),
		exportLastLineEnd: fc.boolean(),
		exportWithoutEvents: fc.constantFrom<Array<'header' | 'nothing'>>('header', 'nothing'),
	}),
});

async function withSandbox<T>(
	events: EventDraft[],
	variants: Partial<Sandbox['variants']>,
	work: (sandbox: Sandbox) => Promise<T>,
): Promise<T> {
	const sandbox = await startSandbox({ clock: new ManualClock('2026-11-21T12:34:56Z'), variants });
	const lived = liveInSandboxTime(sandbox);
	events.forEach((draft, index) => sandbox.store.recordEvent({ event_id: `e${index}`, ...draft }));
	try {
		return await work(sandbox);
	} finally {
		lived.restore();
		await sandbox.stop();
	}
}

/** What the service has from `start` up to `end`, as its export shows it. */
function expected(sandbox: Sandbox, start: Micros, end: Micros): Row[] {
	return sandbox.store.auditEvents
		.all()
		.filter(({ event_time }) => {
			const at = parseTime(event_time) as Micros;
			return at >= start && at < end;
		})
		.map((stored) =>
			Object.fromEntries(
				AUDIT_COLUMNS.map((name) => {
					const proxied = name === 'user_agent' && sandbox.variants.exportQuotedNewlines;
					return [name, proxied ? `${stored[name] ?? ''}\nvia "proxy"` : (stored[name] ?? '')];
				}),
			),
		);
}

const rowsIn = (bytes: Buffer, record_delimiter: string) =>
	parse<Row>(bytes, { columns: true, bom: true, record_delimiter });

it(
	'returns each event of a range exactly once, whatever the events, the range and its division',
	async () =>
		await forAll([setting], runs(25, 100), async ({ events, range, split, timezone, variants }) => {
			const [start, end] = range[0] < range[1] ? range : [range[1], range[0]];
			await withSandbox(events, variants, async (sandbox) => {
				const parameters = customRange(formatTime(start), formatTime(end));
				const { items, error } = await runNode(sandbox, { ...parameters, split }, { timezone });
				expect(error).toBeUndefined();
				const rows = items.map((item) => rowsIn(fileBytes(item), variants.exportLineEnd));
				expect(rows.flat()).toEqual(expected(sandbox, start, end));
				expect(rows.map(({ length }) => length)).toEqual(items.map(({ json }) => json.rows));

				const asItems = { ...parameters, output: 'items', returnAll: true };
				expect((await runNode(sandbox, asItems)).json).toEqual(rows.flat());

				const asLines = { ...parameters, split, options: { format: 'jsonLines' } };
				const lines = await runNode(sandbox, asLines, { timezone });
				expect(lines.json.map((json) => json.rows)).toEqual(rows.map(({ length }) => length));
			});
		}),
	240_000,
);
