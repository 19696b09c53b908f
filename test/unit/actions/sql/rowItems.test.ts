import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { toRowItems } from '../../../../nodes/Wherobots/actions/sql/execution';
import { MAX_TOOL_ITEMS } from '../../../../nodes/Wherobots/form/input';

const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

/** What the node returns for rows, and what it says about them. */
function given(
	rows: IDataObject[],
	maxRows: number | undefined,
	isToolUse: boolean,
	more: { text?: string; note?: string; renamed?: string[]; columns?: string[] } = {},
) {
	const hints: NodeExecutionHint[] = [];
	const context = {
		addExecutionHints: (hint: NodeExecutionHint) => hints.push(hint),
		getInputData: () => [{ json: {} }],
	};
	const call = { context, itemIndex: 0, input: { isToolUse } };
	const { renamed = [], columns = [], ...shown } = more;
	const found = { rows, columns, renamed };
	const items = toRowItems(call as never, found, { maxRows, ...shown });
	const json = items.map((item) => item.json);
	return { json, hints: hints.map(({ message }) => message) };
}

it('in a workflow, values of any length are returned whole', () => {
	const rows = [{ text: 'x'.repeat(60_000) }, { text: 'y' }];
	expect(given(rows, undefined, false).json).toEqual(rows);
});

describe('for a model', () => {
	/** The rows that a model gets, and the notes that follow them. */
	function shown(rows: IDataObject[], maxRows?: number, note?: string) {
		const { json, hints } = given(rows, maxRows, true, { note });
		expect(hints).toEqual([]);
		expect(json.length).toBeLessThanOrEqual(MAX_TOOL_ITEMS);
		const isNote = (entry: IDataObject) => Object.keys(entry).join() === 'note';
		return {
			rows: json.filter((entry) => !isNote(entry)),
			notes: json.filter(isNote).map(({ note }) => note),
		};
	}

	const first = (count: number, all: string) =>
		`Only the first ${count} of ${all} rows are shown. Aggregate, filter or use LIMIT.`;
	const CUT = 'Values longer than 1000 characters are cut.';

	it.each([
		[0, undefined, ['The query returned no rows.']],
		[2, 2, []],
		[3, 2, [first(2, '3')]],
		[MAX_TOOL_ITEMS - 1, undefined, []],
		[MAX_TOOL_ITEMS, undefined, [first(MAX_TOOL_ITEMS - 1, String(MAX_TOOL_ITEMS))]],
		[999, undefined, [first(MAX_TOOL_ITEMS - 1, '999')]],
		// How many there really are is unknown: the service may send no more.
		[1_000, undefined, [first(MAX_TOOL_ITEMS - 1, '1000 or more')]],
	])(
		'of %i rows with a limit of %p it returns a few, with a note when some are left out',
		(...each) => {
			const [count, maxRows, notes] = each;
			const most = Math.min(maxRows ?? Infinity, MAX_TOOL_ITEMS - 1);
			expect(shown(numbered(count), maxRows)).toEqual({
				rows: numbered(count).slice(0, most),
				notes,
			});
		},
	);

	/** A row whose JSON has this many characters. */
	const rowOf = (characters: number) => ({ a: 'x'.repeat(characters - '{"a":""}'.length) });

	it('the rows stay short in total', () => {
		const rows = Array<IDataObject>(51).fill(rowOf(1_000));
		expect(shown(rows.slice(0, 50))).toEqual({ rows: rows.slice(0, 50), notes: [] });
		expect(shown(rows)).toEqual({ rows: rows.slice(0, 50), notes: [first(50, '51')] });
		expect(shown([...rows.slice(0, 50), { a: 1 }]).notes).toEqual([first(50, '51')]);
	});

	it('the first row is always returned, however many columns it has', () => {
		const wide = Object.fromEntries(
			Array.from({ length: 60 }, (_, column) => [`c${column}`, 'x'.repeat(1_000)]),
		);
		expect(shown([wide])).toEqual({ rows: [wide], notes: [] });
		expect(shown([wide, { a: 1 }])).toEqual({ rows: [wide], notes: [first(1, '2')] });
	});

	const x = (count: number) => 'x'.repeat(count);
	const point = { type: 'Point', coordinates: [7.1, 50.7] };

	it.each<[string, IDataObject[string], IDataObject[string]]>([
		['text of the maximum length', x(1_000), x(1_000)],
		['longer text', x(1_001), `${x(1_000)}… (1001 characters)`],
		['a list', [x(1_000)], `["${x(998)}… (1004 characters)`],
		// No character is cut in half, as a model could not be sent the half; halves that arrived are passed on.
		['text with half a character', `\ud800${x(998)}🏙`, `\ud800${x(998)}… (1001 characters)`],
		['an object', point, point],
		['nothing', null, null],
		['a missing value', undefined, undefined],
		['a number', 1.5, 1.5],
	])('%s is cut when it is too long, and only then', (_, value, expected) => {
		// One value that is cut is enough for the note, whatever is beside and below it.
		const rows = [{ value, beside: 'short' }, { value: 'short' }];
		expect(shown(rows)).toEqual({
			rows: [{ value: expected, beside: 'short' }, { value: 'short' }],
			notes: expected === value ? [] : [CUT],
		});
	});

	it('what the query waited for is part of the note', () => {
		expect(shown([{ a: 1 }], 1, 'It took long.').notes).toEqual(['It took long.']);
	});

	it('a single note says everything', () => {
		const rows = [{ a: x(1_001) }, { a: 'b' }];
		expect(shown(rows, 1).notes).toEqual([`${first(1, '2')} ${CUT}`]);
	});
});
