import { defaultSqlTimings, type SqlTimings } from './sql/variants';

/** Durations in milliseconds of the sandbox clock. */
export interface Timings extends SqlTimings {
	pendingMs: number;
	runningMs: number;
	/** The running time of a run whose file name contains "slow". */
	slowMs: number;
	/** From the accepted cancel request to `CANCELLED`. */
	cancelMs: number;
	/** From the moment a log line is written to the moment it can be read. */
	logDelayMs: number;
	/** From the creation of a run to the moment the billing system knows it. */
	costLagMs: number;
	/** By how much the figures of costs lag until they are final. */
	costDelayMs: number;
	/** From the end of a run to the moment its cost is final. */
	costSettlingMs: number;
	/** The lifetime of temporary table credentials. */
	tableCredentialsMs: number;
	/** From the creation of a cloud connection to the first verification that passes. */
	verifyMs: number;
}

export const defaultTimings: Timings = {
	pendingMs: 5_000,
	runningMs: 20_000,
	slowMs: 600_000,
	cancelMs: 60_000,
	logDelayMs: 2_000,
	costLagMs: 0,
	costDelayMs: 0,
	costSettlingMs: 2_700_000,
	tableCredentialsMs: 3_600_000,
	verifyMs: 120_000,
	...defaultSqlTimings,
};
