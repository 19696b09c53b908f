/** Environment override presets. Record: EnvironmentOverridePreset. */
import type { SandboxClock } from '../clock';
import type { Ids } from '../ids';
import { recordTime } from '../time';
import { people, type Customer } from './people';

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

export class PresetStore {
	private readonly byName = new Map<string, PresetRecord>();

	constructor(
		private readonly clock: SandboxClock,
		private readonly ids: Ids,
	) {}

	all(): PresetRecord[] {
		return [...this.byName.values()];
	}

	get(name: string): PresetRecord | undefined {
		return this.byName.get(name);
	}

	byId(id: string): PresetRecord | undefined {
		return this.all().find((preset) => preset.id === id);
	}

	delete({ name }: PresetRecord): void {
		this.byName.delete(name);
	}

	/** Creates the preset, or replaces the one with the same name. */
	upsert(
		input: PresetInput,
		by: { createdBy?: Customer | null; protected?: boolean } = {},
	): PresetRecord {
		const now = this.clock.now();
		const old = this.byName.get(input.name);
		const preset: PresetRecord = {
			id: old?.id ?? this.ids.next('preset'),
			createTime: old?.createTime ?? now,
			updateTime: now,
			name: input.name,
			driverDiskSize: input.driverDiskSize ?? null,
			executorDiskSize: input.executorDiskSize ?? null,
			sparkConfiguration: input.sparkConfiguration ?? null,
			createdBy: old ? old.createdBy : by.createdBy === undefined ? people.admin : by.createdBy,
			protected: old?.protected ?? by.protected ?? false,
		};
		this.byName.set(preset.name, preset);
		return preset;
	}

	view(preset: PresetRecord): Record<string, unknown> {
		return {
			...preset,
			createTime: recordTime(preset.createTime),
			updateTime: recordTime(preset.updateTime),
		};
	}
}
