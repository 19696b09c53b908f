import type { INodeProperties } from 'n8n-workflow';

import type { ChoiceField } from '../../parameters/declarations';
import type { Input } from '../../parameters/input';
import type { Reuse } from '../../transport/jobRuns/findByName';

const nameExistsField: ChoiceField<'submit' | 'useActive' | 'useAny'> = {
	displayName: 'If a Run of This Name Exists',
	name: 'ifNameExists',
	type: 'options',
	options: [
		{
			name: 'Submit Another',
			value: 'submit',
			description: 'Names need not be unique',
		},
		{
			name: 'Use It While It Is Active',
			value: 'useActive',
			description: 'Use a pending or running run, and submit another once it has ended',
		},
		{
			name: 'Use It Whatever Became of It',
			value: 'useAny',
			description:
				'Use any run of this name within a period. With a name that stands for the work, such as one with the date, the work is submitted once.',
		},
	],
	default: 'submit',
	description:
		'What to do when a run of exactly this name exists already. It holds for executions at the same moment too.',
};

const periodField: INodeProperties = {
	displayName: 'Within the Last (Hours)',
	name: 'nameExistsHours',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 24,
	description: 'How long ago the existing run may have been created',
	displayOptions: { show: { ifNameExists: ['useAny'] } },
};

const existingFailedField: ChoiceField<'submit' | 'use'> = {
	displayName: 'If That Run Did Not Complete',
	name: 'ifExistingFailed',
	type: 'options',
	options: [
		{ name: 'Submit Another', value: 'submit' },
		{ name: 'Use It', value: 'use' },
	],
	default: 'submit',
	description: 'What to do when the existing run failed, was cancelled or timed out',
	displayOptions: { show: { ifNameExists: ['useAny'] } },
};

/** The fields that decide what becomes of a submission when a run of its name exists. */
export const nameExistsFields: INodeProperties[] = [
	nameExistsField,
	periodField,
	existingFailedField,
];

/** Only in workflows that were saved with it, among the options: what 'useActive' is now. */
export const formerReuseField: INodeProperties = {
	displayName: 'Reuse Active Run',
	name: 'reuseActive',
	type: 'hidden',
	default: false,
};

/**
 * Reads the fields of `nameExistsFields`; undefined when another run is to be submitted anyway.
 *
 * @param options the members of the collection with `formerReuseField`
 */
export function readReuse(input: Input, options: Input): Reuse | undefined {
	switch (input.choice(nameExistsField)) {
		case 'submit':
			return options.flag(formerReuseField) ? { which: 'active' } : undefined;
		case 'useActive':
			return { which: 'active' };
		case 'useAny':
			return {
				which: 'any',
				withinMs: 3_600_000 * input.integer(periodField),
				evenFailed: input.choice(existingFailedField) === 'use',
			};
	}
}
