/** Durations in milliseconds of the sandbox clock. */
export const defaultTimings = {
	pendingMs: 5_000,
	runningMs: 20_000,
	/** From the accepted cancel request to `CANCELLED`. */
	cancelMs: 60_000,
	/** From the moment a log line is written to the moment it can be read. */
	logDelayMs: 2_000,
	/** From the creation of a run to the moment the billing system knows it. */
	costLagMs: 0,
	/** By how much the figures of costs lag until they are final. */
	costDelayMs: 0,
	/** From the end of a run to the moment its cost is final. */
	costSettlingMs: 2_700_000,
	/** From the creation of a cloud connection to the first verification that passes. */
	verifyMs: 120_000,
	/** From the request for a SQL session to `READY`. */
	sqlStartMs: 60_000,
	/** From the deletion of a SQL session to `DESTROYED`. */
	sqlStopMs: 20_000,
	/** From the accepted request to cancel a statement to `cancelled`. */
	sqlCancelMs: 0,
};

export type Timings = typeof defaultTimings;
