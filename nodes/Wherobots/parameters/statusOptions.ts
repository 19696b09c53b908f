import { RUN_STATUSES } from '../service/jobRuns/runs';

const STATUS_NAMES: Record<(typeof RUN_STATUSES)[number], string> = {
	PENDING: 'Pending',
	RUNNING: 'Running',
	COMPLETED: 'Completed',
	FAILED: 'Failed',
	CANCELLED: 'Cancelled',
	TIMED_OUT: 'Timed Out',
};

/** The statuses as options, in the order of a run's life cycle. */
export const statusOptions = RUN_STATUSES.map((value) => ({ name: STATUS_NAMES[value], value }));
