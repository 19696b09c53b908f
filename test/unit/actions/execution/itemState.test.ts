import type { IExecuteFunctions } from 'n8n-workflow';

import { ExecutionStates } from '../../../../nodes/Wherobots/actions/execution/itemState';
import { workOf } from '../../../../nodes/Wherobots/actions/execution/once';

interface Place {
	execution?: AbortSignal | null;
	node?: string;
	run?: number;
	tool?: boolean;
}

const execution = new AbortController().signal;

/** A running node: always the same execution, node and run unless told otherwise. */
const at = ({ node = 'Wherobots', run = 0, tool = false, ...rest }: Place = {}) =>
	({
		getExecutionCancelSignal: () =>
			rest.execution === undefined ? execution : (rest.execution ?? undefined),
		getNode: () => ({ name: node, type: 'wherobots' }),
		getWorkflowDataProxy: () => ({ $runIndex: run }),
		isToolExecution: () => tool,
	}) as unknown as IExecuteFunctions;

const another = (): Place[] => [
	{ execution: new AbortController().signal },
	{ execution: null },
	{ node: 'Wherobots1' },
	{ run: 1 },
];

describe('the state of an item', () => {
	let states: ExecutionStates<object>;

	beforeEach(() => {
		states = new ExecutionStates<object>(() => ({}));
	});

	it('is the same when n8n runs the node again, even with different input', () => {
		const state = states.ofItem(at(), 0, { at: '12:00' });
		expect(states.ofItem(at(), 0, { at: '12:01' })).toBe(state);
		expect(states.ofItem(at(), 1, { at: '12:00' })).not.toBe(state);
	});

	it('is a different one in another execution, node or run', () => {
		const state = states.ofItem(at(), 0, 'x');
		for (const place of another()) expect(states.ofItem(at(place), 0, 'x')).not.toBe(state);
		expect(states.ofItem(at(), 0, 'x')).toBe(state);
	});

	it('depends on the input as well when an AI agent calls the node', () => {
		const state = states.ofItem(at({ tool: true }), 0, { a: 1 });
		expect(states.ofItem(at({ tool: true }), 0, { a: 1 })).toBe(state);
		// Each attempt is another run.
		expect(states.ofItem(at({ tool: true, run: 1 }), 0, { a: 1 })).toBe(state);
		expect(states.ofItem(at({ tool: true }), 0, { a: 2 })).not.toBe(state);
		expect(states.ofItem(at({ tool: true }), 1, { a: 1 })).not.toBe(state);
	});
});

it('a node has one state for the same request, across all its items and runs', () => {
	const states = new ExecutionStates<object>(() => ({}));
	const state = states.ofNode(at(), { a: 1 });
	expect(states.ofNode(at({ run: 3 }), { a: 1 })).toBe(state);
	expect(states.ofNode(at(), { a: 2 })).not.toBe(state);
	expect(states.ofNode(at({ node: 'Wherobots1' }), { a: 1 })).not.toBe(state);
	expect(states.ofNode(at({ execution: null }), { a: 1 })).not.toBe(state);
});

describe('work for an item', () => {
	const call = (place: Place = {}, itemIndex = 0) => ({ context: at(place), itemIndex });

	it('is the same in another attempt, by its name', () => {
		const work = workOf(call(), 'upload');
		expect(workOf(call(), 'upload')).toBe(work);
		expect(workOf(call(), 'run')).not.toBe(work);
		expect(workOf(call({}, 1), 'upload')).not.toBe(work);
		for (const place of another()) expect(workOf(call(place), 'upload')).not.toBe(work);
	});

	it('is new at each call of a tool, unless it was asked for the same', () => {
		const tool = call({ tool: true });
		expect(workOf(tool, 'upload')).not.toBe(workOf(tool, 'upload'));
		expect(workOf(tool, 'run', { a: 1 })).toBe(workOf(tool, 'run', { a: 1 }));
		expect(workOf(tool, 'run', { a: 1 })).not.toBe(workOf(tool, 'run', { a: 2 }));
	});
});
