/** Whatever the service's own description allows as a response, made up by Prism. */
import { runNode } from '../engine/harness';
import { ActiveTrigger } from '../engine/harness/polling';
import { describeIfKnown, type Description } from './description';
import { suiteWithPrism } from './suite';
import { outsideUses } from './uses';

/** Responses that are made up for each use: they are random. */
const TIMES = 4;

const CRASH =
	/cannot read propert|is not a function|is not iterable|TypeError|RangeError|ReferenceError|\[object Object\]|Invalid time value|circular structure|call stack/i;

/** Fields that may be left out are, every second time. */
const SOMETIMES_MISSING = {
	alwaysFakeOptionals: false,
	optionalsProbability: 0.5,
	fixedProbabilities: false,
};

/** Applies a change to every schema of a document. */
function changeSchemas(value: unknown, change: (schema: Record<string, unknown>) => void): void {
	if (typeof value !== 'object' || value === null) return;
	if (!Array.isArray(value)) change(value as Record<string, unknown>);
	for (const inner of Object.values(value)) changeSchemas(inner, change);
}

/** What the service may send one day: values that nobody knows, and integers beyond 2^53. */
function ofTomorrow(description: Description): Description {
	changeSchemas(description, (schema) => {
		if (schema.type === 'string' && Array.isArray(schema.enum)) {
			delete schema.enum;
			schema.pattern = '^[A-Z]{3,9}_TOMORROW$';
		}
		if (schema.type === 'integer' && schema.maximum === undefined) {
			schema.minimum = 9_007_199_254_740_992;
			schema.maximum = 9_200_000_000_000_000_000;
			delete schema.default;
		}
	});
	return description;
}

const kinds: Array<[string, (description: Description) => Description]> = [
	['of today', (description) => description],
	['of tomorrow', ofTomorrow],
];

describeIfKnown.each(kinds)('a response %s', (_, change) => {
	const suite = suiteWithPrism({
		seed: 'demo',
		change: (description) => ({
			...change(description),
			'x-json-schema-faker': SOMETIMES_MISSING,
		}),
	});

	const expectGood = (errors: Array<{ message: string; description?: string | null }>) => {
		for (const { message, description } of errors) {
			expect(message.trim()).not.toBe('');
			expect(String(description).trim()).not.toBe('');
			expect(`${message}\n${description}`).not.toMatch(CRASH);
		}
	};

	it.each(outsideUses.map((use) => [use.name, use] as const))(
		'makes a result, or an error that says what is odd: %s',
		async (_name, use) => {
			const { sandbox, credentials } = suite;
			for (let time = 0; time < TIMES; time++) {
				const parameters = use.parameters(sandbox);
				const { error, items } = await runNode(sandbox, parameters, { credentials });
				if (error) expect(items).toEqual([]);
				expectGood(error ? [error] : []);
				for (const { json } of items) expect(typeof json).toBe('object');
			}
		},
	);

	it.each(['runStatusChanged', 'runExceededCost', 'runExceededDuration', 'auditEvent'])(
		'does not upset the trigger: %s',
		async (event) => {
			const { sandbox, credentials } = suite;
			for (let time = 0; time < TIMES; time++) {
				const trigger = new ActiveTrigger(sandbox, { event, costLimit: '1' }, { credentials });
				const failed = await trigger.activate().then(
					() => [],
					(error: unknown) => [error as Error],
				);
				sandbox.clock.advance(120_000);
				if (failed.length === 0) await trigger.poll();
				expectGood([...failed, ...trigger.errors]);
			}
		},
	);
});
