import type { IExecuteFunctions } from 'n8n-workflow';

import { shapeItems } from '../../../nodes/Wherobots/form/output';
import { isToolUse } from '../../../nodes/Wherobots/form/input';
import { inputOf } from '../../support/input';

it('a record has as much as an agent chooses', () => {
	const record = { id: 'r1', event_id: 'e1', name: 'n', extra: { deep: 1 }, nothing: null };
	const simplify = ({ id }: { id: string }) => ({ id, short: true });
	const of = (parameters: Record<string, unknown>) =>
		shapeItems(inputOf(parameters, { tool: true }), 'queryAuditLog', [record], simplify)[0].json;
	expect(of({ outputMode: 'raw' })).toEqual(record);
	expect(of({ simplify: false })).toEqual({ id: 'r1', short: true });
	expect(of({ outputMode: 'selected', selectedFields: 'name, short,missing,nothing' })).toEqual({
		event_id: 'e1',
		name: 'n',
		short: true,
		nothing: null,
	});
	expect(of({ outputMode: 'selected' })).toEqual({ event_id: 'e1' });
	const inherited = of({ outputMode: 'selected', selectedFields: 'toString' });
	expect(Object.keys(inherited)).toEqual(['event_id']);
});

describe('the use as a tool', () => {
	const context = (type: string, isToolExecution?: () => boolean) =>
		({ getNode: () => ({ type }), isToolExecution }) as unknown as IExecuteFunctions;

	it.each([
		['by what n8n says', context('x.wherobots', () => true), true],
		['by the type of the node', context('x.wherobotsTool'), true],
		['by the type of the node, whatever n8n says', context('x.wherobotsTool', () => false), true],
		['not otherwise', context('x.wherobots', () => false), false],
		['not in an n8n that does not say', context('x.wherobotsToolbox'), false],
	])('is known %s', (_, given, expected) => {
		expect(isToolUse(given)).toBe(expected);
	});
});
