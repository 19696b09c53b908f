/** Environment override presets. Record: EnvironmentOverridePreset. */
import { z } from 'zod/v4';

import { recordOf } from '../server/validation';
import { recordTime } from '../time';
import { people, type Customer } from './people';
import { Records } from './records';

export const presetInput = z.strictObject({
	name: z.string().min(1).max(50),
	driverDiskSize: z.int().nullable().default(null),
	executorDiskSize: z.int().nullable().default(null),
	sparkConfiguration: recordOf(z.unknown()).nullable().default(null),
});

export interface PresetRecord extends z.infer<typeof presetInput> {
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
		input: z.input<typeof presetInput>,
		by: { createdBy?: Customer | null; protected?: boolean } = {},
	): PresetRecord {
		const now = this.parts.clock.now();
		const old = this.named(input.name);
		return this.add({
			id: old?.id ?? this.parts.ids.next('preset'),
			createTime: old?.createTime ?? now,
			updateTime: now,
			...presetInput.parse(input),
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
