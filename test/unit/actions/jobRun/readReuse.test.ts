import { readReuse } from '../../../../nodes/Wherobots/actions/jobRun/create.operation';
import { inputOf } from '../../../support/input';

const HOUR = 3_600_000;

it.each([
	['submits another run unless told otherwise', {}, undefined],
	['submits another run where that is chosen', { ifNameExists: 'submit' }, undefined],
	['uses a run that is active', { ifNameExists: 'useActive' }, { which: 'active' }],
	[
		'uses a run from the last day that did not fail',
		{ ifNameExists: 'useAny' },
		{ which: 'any', withinMs: 24 * HOUR, evenFailed: false },
	],
	[
		'uses a run from the chosen hours, even one that failed',
		{ ifNameExists: 'useAny', nameExistsHours: 2, ifExistingFailed: 'use' },
		{ which: 'any', withinMs: 2 * HOUR, evenFailed: true },
	],
])('where a run of the same name exists, it %s', (_, parameters, reuse) => {
	expect(readReuse(inputOf(parameters))).toEqual(reuse);
});

it('refuses a period of zero hours', () => {
	const parameters = { ifNameExists: 'useAny', nameExistsHours: 0 };
	expect(() => readReuse(inputOf(parameters))).toThrow(
		"'Within the Last (Hours)' must be at least 1",
	);
});
