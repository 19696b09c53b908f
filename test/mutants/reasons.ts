/** Why mistakes that no test notices may stay: they change nothing that anybody could see. */
export interface Reason {
	/** Below nodes/Wherobots. */
	file: string;
	/** Part of the mistake as the page shows it. */
	change: string;
	why: string;
}

export const REASONS: Reason[] = [];
