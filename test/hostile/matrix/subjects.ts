/**
 * The rows of the matrix: every operation of the node, and every event of the trigger, taken from
 * the package itself. An operation is used as `engine/actions/cases.ts` says, and an event happens as
 * `eventCases.ts` says.
 */
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { resources } from '../../../nodes/Wherobots/actions';
import type { Operation } from '../../../nodes/Wherobots/actions/operations/operation';
import { eventField } from '../../../nodes/Wherobots/trigger/poll';
import { cases } from '../../engine/actions/cases';
import { everythingIn } from '../../engine/harness/probe';
import { runNode } from '../../engine/harness';
import { ActiveTrigger } from '../../engine/harness/polling';
import { endpoints, type EndpointId, type Sandbox } from '../../sandbox';
import { eventCases, MINUTE, type EventCase } from './eventCases';

/** What is wrong at the service, between the two calls. */
interface Trouble {
	begin(): void;
	end(): void;
}

export interface ShownError {
	message: string;
	description: string;
}

/** What a use came to. */
export interface Used {
	items: INodeExecutionData[];
	errors: ShownError[];
	/** Everything that is left of it but the items: errors, hints, execution data. */
	leftovers: string;
}

export interface Subject {
	title: string;
	kind: 'operation' | 'trigger';
	/**
	 * The request that it is about: the first one without a fault, unless it is known. The trigger has
	 * none, for its requests are all alike to it.
	 */
	main?: EndpointId;
	/** What it requests where the main one is refused. */
	instead?: EndpointId;
	/** It makes or uses something new each time. */
	isWrite: boolean;
	/** The first use of an operation; others reach other endpoints. */
	isFirst?: boolean;
	/** It waits while the service is out of order. */
	waits?: boolean;
	use(sandbox: Sandbox, trouble: Trouble): Promise<Used>;
}

/** What keeps waits short here. */
function shortenWaits(key: string): INodeParameters {
	if (key === 'jobRun getLogs') return { options: { followMinutes: 2 } };
	const hasSession = /^sql |^table (create|getRows|loadFile|(delete|insert|upsert)Rows)$/.test(key);
	return hasSession ? { sessionOptions: { sessionWaitSeconds: 120 } } : {};
}

function usesOf(key: string, resource: string, operation: Operation): Subject[] {
	const { endpoint, instead, good, also = [], waits } = cases[key];
	const title = `${resource}: ${operation.name}`;
	// Nothing is left out of a list.
	const whole = operation.fields.some(({ name }) => name === 'returnAll') && { returnAll: true };
	const [resourceValue, operationValue] = key.split(' ');
	return [good, ...also].map((parametersFor, number) => ({
		title: number === 0 ? title : `${title} (${number + 1})`,
		kind: 'operation' as const,
		main: number === 0 ? endpoint : undefined,
		instead,
		isWrite:
			operation.kind === 'write' ||
			endpoints[endpoint].method !== 'GET' ||
			operation.fields.some(({ name }) => name === 'runId'),
		isFirst: number === 0,
		waits,
		async use(sandbox: Sandbox, trouble: Trouble): Promise<Used> {
			const parameters = parametersFor(sandbox);
			trouble.begin();
			const { items, errors, error, run, hints } = await runNode(sandbox, {
				resource: resourceValue,
				operation: operationValue,
				...parameters,
				...whole,
				...shortenWaits(key),
			} as INodeParameters);
			trouble.end();
			const all = [...(error ? [error] : []), ...errors.map(({ json }) => json.error as never)];
			const { resultData } = run.data;
			const nodeErrors = Object.values(resultData.runData)
				.flat()
				.map((data) => data.error);
			return {
				items,
				errors: all.map(({ message, description }) => ({
					message,
					description: description ?? '',
				})),
				leftovers: everythingIn([nodeErrors, resultData.error, hints]),
			};
		},
	}));
}

/** Polls while there is trouble, and after it. */
const TROUBLED_POLLS = 2;
const CALM_POLLS = 4;
/** Longer than the service may make the trigger wait. */
const LONGEST_HOLD = 20 * MINUTE;

/**
 * The trigger has done its work when, once the trouble is over, every event has come once. Its items
 * are the IDs of the events.
 */
function eventUses({ title, parameters, before, happen }: EventCase): Subject[] {
	const flow = async (sandbox: Sandbox, trouble: Trouble, when: 'polls' | 'activation') => {
		before?.(sandbox);
		const { clock } = sandbox;
		clock.advance(10 * MINUTE);
		const trigger = new ActiveTrigger(sandbox, parameters);
		const failures: unknown[] = [];
		if (when === 'activation') {
			trouble.begin();
			await trigger.activate().catch((error: unknown) => failures.push(error));
			trouble.end();
		}
		if (failures.length > 0) clock.advance(LONGEST_HOLD);
		if (when === 'polls' || failures.length > 0) await trigger.activate();
		clock.advance(2 * MINUTE);
		const expected = happen(sandbox);
		clock.advance(2 * MINUTE);
		if (when === 'polls') {
			trouble.begin();
			for (let poll = 0; poll < TROUBLED_POLLS; poll++) {
				await trigger.poll();
				clock.advance(MINUTE);
			}
			trouble.end();
		}
		for (let poll = 0; poll < CALM_POLLS; poll++) {
			clock.advance(LONGEST_HOLD);
			await trigger.poll();
		}
		failures.push(...trigger.errors);
		const ids = trigger.take().map(({ eventId }) => String(eventId));
		const wrong = [
			...expected.filter((id) => !ids.includes(id)).map((id) => `LOST ${id}`),
			...ids.filter((id) => !expected.includes(id)).map((id) => `UNEXPECTED ${id}`),
			...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `TWICE ${id}`),
		];
		return {
			items: [...wrong.sort(), `${expected.length} events`].map((text) => ({ json: { text } })),
			errors: failures.map((error) => error as ShownError),
			leftovers: everythingIn([failures, trigger.stored]),
		};
	};
	return (['polls', 'activation'] as const).map((when) => ({
		title: `Trigger: ${title}${when === 'activation' ? ' (activation)' : ''}`,
		kind: 'trigger',
		isWrite: true,
		use: async (sandbox, trouble) => await flow(sandbox, trouble, when),
	}));
}

/** What is missing here, for a test to say. */
export const withoutCase: string[] = [];

const operations = resources.flatMap((resource) =>
	resource.operations.flatMap((operation) => {
		const key = `${resource.value} ${operation.value}`;
		if (cases[key]) return usesOf(key, resource.name, operation);
		withoutCase.push(key);
		return [];
	}),
);

const events = eventField.options.flatMap(({ value }) => {
	const known = eventCases.filter(({ parameters }) => parameters.event === value);
	if (known.length === 0) withoutCase.push(`trigger ${value}`);
	return known.flatMap(eventUses);
});

export const subjects: Subject[] = [...operations, ...events];
