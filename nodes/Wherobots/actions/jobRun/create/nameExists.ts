import type { INodeProperties } from 'n8n-workflow';

import { choiceField, countField } from '../../../parameters/declarations';
import type { Input } from '../../../parameters/input';
import type { Reuse } from '../../../transport/jobRuns/findByName';

const nameExistsField = choiceField({
	displayName: 'If a Run With This Name Exists',
	name: 'ifNameExists',
	options: [
		{
			name: 'Submit Another',
			value: 'submit',
			description: 'Submit a new run; names do not have to be unique',
		},
		{
			name: 'Use It If Active',
			value: 'useActive',
			description: 'Use the existing run if it is pending or running; otherwise submit another',
		},
		{
			name: 'Use It Regardless of Outcome',
			value: 'useAny',
			description:
				'Use the existing run if it was created within a given period. With a name that identifies the work, such as one with the date, the work is submitted only once.',
		},
	],
	default: 'submit',
	description:
		'What to do when a run with exactly this name already exists. Also applies to executions that run at the same time.',
});

const periodField = countField({
	displayName: 'Within the Last (Hours)',
	name: 'nameExistsHours',
	default: 24,
	description: 'How long ago the existing run may have been created',
	displayOptions: { show: { ifNameExists: ['useAny'] } },
});

const existingFailedField = choiceField({
	displayName: 'If That Run Did Not Complete',
	name: 'ifExistingFailed',
	options: [
		{ name: 'Submit Another', value: 'submit' },
		{ name: 'Use It', value: 'use' },
	],
	default: 'submit',
	description: 'What to do when the existing run failed, was cancelled or timed out',
	displayOptions: { show: { ifNameExists: ['useAny'] } },
});

/** The fields that decide what becomes of a submission when a run of its name exists. */
export const nameExistsFields: INodeProperties[] = [
	nameExistsField,
	periodField,
	existingFailedField,
];

/** Reads the fields of `nameExistsFields`; undefined when another run is to be submitted anyway. */
export function readReuse(input: Input): Reuse | undefined {
	switch (input.choice(nameExistsField)) {
		case 'submit':
			return undefined;
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
