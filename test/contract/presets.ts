/** Interface, "Environment override presets"; and the lists beside the interface behind pickers. */
import {
	anything,
	filled,
	flag,
	integer,
	listOf,
	nullable,
	object,
	textOf,
	time,
	type Contracts,
} from './schema';
import { customer } from './shared';

const preset = object({
	id: filled,
	createTime: time,
	updateTime: time,
	name: filled,
	'driverDiskSize?': nullable(integer),
	'executorDiskSize?': nullable(integer),
	sparkConfiguration: nullable({ type: 'object' }),
	createdBy: nullable(customer),
	'protected?': flag,
});

const disk = { type: 'integer', minimum: 1 };

export const presetContracts = {
	listPresets: { response: listOf(preset) },
	upsertPreset: {
		body: object({
			name: textOf(1, 50),
			'driverDiskSize?': disk,
			'executorDiskSize?': disk,
			'sparkConfiguration?': { type: 'object' },
		}),
		response: preset,
	},
	deletePreset: { response: 'none' },
} satisfies Contracts;

export const accountContracts = {
	getOrganization: { response: anything },
	getConfigHint: { response: anything },
	getMe: { response: anything },
} satisfies Contracts;
