/** Environment override presets. Record: EnvironmentOverridePreset. */
import { recordTime } from '../time';
import { people, type Customer } from './people';
import { Records } from './records';

export interface PresetInput {
	name: string;
	driverDiskSize?: number | null;
	executorDiskSize?: number | null;
	sparkConfiguration?: Record<string, unknown> | null;
}

export interface PresetRecord extends Required<PresetInput> {
	id: string;
	createTime: number;
	updateTime: number;
	createdBy: Customer | null;
	protected: boolean;
}

/** Public description of the service: EnvironmentPreset. */
interface EnvironmentPreset {
	id: string;
	name: string;
	version: string;
	protected: boolean;
}

export class PresetStore extends Records<PresetRecord> {
	/** Those with a version and dependencies, which no operation of the package changes. */
	readonly environments: EnvironmentPreset[] = [];

	named(name: string): PresetRecord | undefined {
		return this.all().find((preset) => preset.name === name);
	}

	/** Creates the preset, or replaces the one with the same name. */
	upsert(
		input: PresetInput,
		by: { createdBy?: Customer | null; protected?: boolean } = {},
	): PresetRecord {
		const now = this.parts.clock.now();
		const old = this.named(input.name);
		return this.add({
			id: old?.id ?? this.parts.ids.next('preset'),
			createTime: old?.createTime ?? now,
			updateTime: now,
			name: input.name,
			driverDiskSize: input.driverDiskSize ?? null,
			executorDiskSize: input.executorDiskSize ?? null,
			sparkConfiguration: input.sparkConfiguration ?? null,
			createdBy: old ? old.createdBy : by.createdBy === undefined ? people.admin : by.createdBy,
			protected: old?.protected ?? by.protected ?? false,
		});
	}

	environmentView(preset: EnvironmentPreset): Record<string, unknown> {
		const time = recordTime(this.parts.clock.now());
		const times = { createTime: time, updateTime: time };
		return { ...preset, ...times, sparkConfiguration: null, dependencies: [], createdBy: null };
	}

	view(preset: PresetRecord): Record<string, unknown> {
		return {
			...preset,
			createTime: recordTime(preset.createTime),
			updateTime: recordTime(preset.updateTime),
		};
	}
}
