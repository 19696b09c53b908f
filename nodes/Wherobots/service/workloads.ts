import type { IDataObject } from 'n8n-workflow';

/** The fields of a workload that people need (public description of the service, `GET /usage/history`). */
export function simplifyWorkload(record: IDataObject): IDataObject {
	return {
		id: record.id ?? null,
		name: record.name ?? null,
		workloadType: record.workloadType ?? null,
		status: record.status ?? null,
		startTime: record.startTime ?? null,
		endTime: record.endTime ?? null,
		runtimeId: record.runtimeId ?? null,
		regionName: record.regionName ?? null,
		runId: record.runId ?? null,
		message: record.message ?? null,
	};
}
