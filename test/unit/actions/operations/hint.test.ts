import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { addHint, hintNoResults } from '../../../../nodes/Wherobots/actions/operations/hint';

it('shows a hint where n8n supports hints', () => {
	const hints: unknown[] = [];
	const context = {
		hints,
		addExecutionHints(this: { hints: unknown[] }, hint: unknown) {
			this.hints.push(hint);
		},
	};
	addHint(context as unknown as IExecuteFunctions, { message: 'More may come' });
	expect(hints).toEqual([{ message: 'More may come' }]);
});

it('does nothing where n8n does not', () => {
	expect(() => addHint({} as IExecuteFunctions, { message: 'More may come' })).not.toThrow();
});

describe('a list that is empty', () => {
	/** The context of a node with this many items, and the hints that it is given. */
	function saying(items: number) {
		const hints: Array<{ message: string; type?: string }> = [];
		const context = {
			addExecutionHints: (hint: { message: string }) => hints.push(hint),
			getInputData: () => Array(items).fill({ json: {} }),
		} as unknown as IExecuteFunctions;
		return { hints, context };
	}

	const name = { displayName: 'Name' } as INodeProperties;
	const status = { displayName: 'Status' } as INodeProperties;

	it('is explained by the filters that narrow it', () => {
		const { hints, context } = saying(1);
		const empty = { displayName: 'Region' } as INodeProperties;
		hintNoResults({ context, itemIndex: 0 }, 'job runs', [
			[name, 'nightly-*'],
			[status, ['FAILED', 'CANCELLED']],
			[empty, ''],
			[empty, []],
			[empty, undefined],
		]);
		const message =
			"No job runs match 'Name' nightly-* and 'Status' FAILED or CANCELLED. Change or remove a filter to get more.";
		expect(hints).toEqual([{ message, type: 'info' }]);
	});

	it('is explained by where it was looked for', () => {
		const { hints, context } = saying(1);
		hintNoResults({ context, itemIndex: 0 }, 'tables', [[name, '']], 'in this catalog');
		const other = saying(1);
		hintNoResults({ context: other.context, itemIndex: 0 }, 'storages');
		expect([...hints, ...other.hints].map(({ message }) => message)).toEqual([
			'There are no tables in this catalog.',
			'There are no storages that this account can see.',
		]);
	});

	it('is explained once for all items, with the first item that it is true of', () => {
		const { hints, context } = saying(3);
		for (const itemIndex of [1, 2]) hintNoResults({ context, itemIndex }, 'job runs');
		expect(hints.map(({ message }) => message)).toEqual([
			'Item 1: There are no job runs that this account can see.',
		]);
	});
});
