/** CPU profiles of single executions: where the time goes. */
import { writeFileSync } from 'node:fs';
import { type Profiler as Inspected, Session } from 'node:inspector';

export type CpuProfile = Inspected.Profile;

/** Workflows whose names begin so are profiled; a profile costs time, so that others are not. */
export const PROFILED = 'Profile of ';

export class Profiler {
	private session?: Session;

	start(): void {
		this.session = new Session();
		this.session.connect();
		this.session.post('Profiler.enable');
		this.session.post('Profiler.start');
	}

	/** Ends what `start` began, if anything; gives the file, which Chrome's developer tools open. */
	stop(file: string): string | undefined {
		if (!this.session) return undefined;
		this.session.post('Profiler.stop', (error, result) => {
			if (!error) writeFileSync(file, JSON.stringify(result.profile));
		});
		this.session.disconnect();
		this.session = undefined;
		return file;
	}
}
