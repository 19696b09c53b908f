import type { IDataObject } from 'n8n-workflow';

import { personName, pick } from './types';

/** The fields of an environment override preset that people need, without the roles of its creator. */
export function simplifyPreset(preset: IDataObject): IDataObject {
	return {
		...pick(preset, ['id', 'name', 'driverDiskSize', 'executorDiskSize', 'sparkConfiguration']),
		protected: preset.protected ?? null,
		createdBy: personName(preset.createdBy),
		...pick(preset, ['createTime', 'updateTime']),
	};
}
