import type { IDataObject } from 'n8n-workflow';

import { personName } from './people';

/** The fields of an environment override preset that people need, without the roles of its creator. */
export function simplifyPreset(preset: IDataObject): IDataObject {
	return {
		id: preset.id ?? null,
		name: preset.name ?? null,
		driverDiskSize: preset.driverDiskSize ?? null,
		executorDiskSize: preset.executorDiskSize ?? null,
		sparkConfiguration: preset.sparkConfiguration ?? null,
		protected: preset.protected ?? null,
		createdBy: personName(preset.createdBy),
		createTime: preset.createTime ?? null,
		updateTime: preset.updateTime ?? null,
	};
}
