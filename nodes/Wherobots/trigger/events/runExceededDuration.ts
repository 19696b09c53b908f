import type { INodeProperties } from 'n8n-workflow';

import { simplifyField } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import { item } from '../../parameters/items';
import { formatTime } from '../../service/time/time';
import { eventId } from '../core/ids';
import type { DurationLimits } from '../core/runs/runDurations';
import { MINUTE } from '../core/watermark';
import { jobRunSource } from '../serviceSource';
import type { TriggerEvent } from './event';
import { jobRunFilters, pollRunsFrom, readJobRunFilter, recordOf } from './runEvent';

const pendingMinutesField: INodeProperties = {
	displayName: 'Pending Longer Than (Minutes)',
	name: 'pendingMinutes',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 525_600 },
	default: 30,
	description: 'How long a job run may be pending, counted from its creation. 0 means no limit.',
};

const runningMinutesField: INodeProperties = {
	displayName: 'Running Longer Than (Minutes)',
	name: 'runningMinutes',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 525_600 },
	default: 120,
	description: 'How long a job run may be running, counted from its start. 0 means no limit.',
};

export const runExceededDuration: TriggerEvent = {
	name: 'Job Run Exceeds Duration',
	description: 'Starts the workflow once when a job run has been pending or running for too long',
	record: 'job run',
	fields: [pendingMinutesField, runningMinutesField, simplifyField, jobRunFilters],
	read(input) {
		const filter = readJobRunFilter(input);
		const limits = readLimits(input);
		const simplify = input.flag(simplifyField);
		return {
			scope: filter,
			async poll(client, start, budget) {
				const source = jobRunSource(client, filter);
				const { exceeded, state, notes } = await pollRunsFrom(start, source, budget, limits);
				const newest = exceeded.sort((a, b) => a.since - b.since).slice(-start.most);
				const items = newest.map(({ run, status, since, duration, limit }) =>
					item({
						...recordOf(run, simplify, client.serviceNow()),
						exceededStatus: status,
						since: formatTime(since),
						minutes: Math.floor(duration / MINUTE),
						limitMinutes: limit / MINUTE,
						eventId: eventId('run', run.id, 'exceeded', status),
					}),
				);
				return { items, state, notes };
			},
		};
	},
};

function readLimits(input: Input): DurationLimits {
	const pending = input.integer(pendingMinutesField);
	const running = input.integer(runningMinutesField);
	if (pending === 0 && running === 0) {
		throw input.problem(
			runningMinutesField,
			"or 'Pending Longer Than (Minutes)' must be more than 0",
		);
	}
	return { PENDING: pending * MINUTE || undefined, RUNNING: running * MINUTE || undefined };
}
