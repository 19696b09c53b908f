import {
	NodeOperationError,
	type INode,
	type IPollFunctions,
	type WorkflowActivateMode,
} from 'n8n-workflow';

import { toNodeApiError } from '../../../nodes/Wherobots/transport/failures/errors';
import type { Failure } from '../../../nodes/Wherobots/transport/failures/failure';
import { isOutage, mustReport } from '../../../nodes/Wherobots/trigger/failureReporting';
import type { ProcessMemory } from '../../../nodes/Wherobots/trigger/processMemory';
import { suiteInVirtualTime } from '../../support/virtualTime';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const time = suiteInVirtualTime();

const node = { name: 'Wherobots Trigger' } as INode;
const failure = (httpCode?: string, more: Partial<Failure> = {}) =>
	toNodeApiError(node, { message: 'No', description: 'Why', httpCode, ...more });

/** A trigger in n8n's classic engine that remembers failures, and tells whether n8n is told of one. */
function classic(mode: WorkflowActivateMode = 'init') {
	const memory: ProcessMemory = {};
	const context = { getActivationMode: () => mode } as IPollFunctions;
	const tells = (error: unknown, activation: 'none' | 'first' | 'again' = 'none') =>
		mustReport(context, memory, error, activation);
	return { tells };
}

describe('whether a failure may pass by itself', () => {
	it.each([
		['no response', true, failure()],
		['too many requests', true, failure('429')],
		["a failure on the service's side", true, failure('503')],
		['a wrong address', false, failure(undefined, { addressAtFault: true })],
		['a wrong key', false, failure('401')],
		['a record that does not exist', false, failure('404')],
		['a wrong setting', false, new NodeOperationError(node, 'No')],
		[
			'an error that is not from the service',
			false,
			Object.assign(new Error('No'), { httpCode: '503' }),
		],
	])('%s: %s', (_, expected, error) => {
		expect(isOutage(error)).toBe(expected);
	});
});

describe("n8n's classic engine", () => {
	it('is told of the same failure once an hour', () => {
		const { tells } = classic();
		expect(tells(failure('500'))).toBe(true);
		expect(tells(failure('500'))).toBe(false);
		time.now += HOUR - 1;
		expect(tells(failure('500'))).toBe(false);
		time.now += 1;
		expect(tells(failure('500'))).toBe(true);
		time.now += HOUR - 1;
		expect(tells(failure('500'))).toBe(false);
	});

	it('is told of the same failure again when the clock was set back', () => {
		const { tells } = classic();
		tells(failure('500'));
		time.now -= 1;
		expect(tells(failure('500'))).toBe(true);
	});

	it.each([
		['another status', failure('403')],
		['no status', failure()],
		['another message', failure('500', { message: 'Never' })],
	])('is told at once of a failure with %s', (_, other) => {
		const { tells } = classic();
		tells(failure('500'));
		expect(tells(other)).toBe(true);
	});

	it.each(['first', 'again'] as const)(
		'is told of the failure of an activation (%s) although it already knows that failure',
		(activation) => {
			const { tells } = classic();
			tells(failure('401'));
			expect(tells(failure('401'), activation)).toBe(true);
		},
	);
});

describe('an activation with a state to continue from', () => {
	it.each(['init', 'create', 'update', 'activate', 'leadershipChange'] as const)(
		'is not failed by a service that is down, however often n8n tries (%s)',
		(mode) => {
			const { tells } = classic(mode);
			expect(tells(failure('503'), 'again')).toBe(false);
			expect(tells(failure('503'), 'again')).toBe(false);
		},
	);
});
