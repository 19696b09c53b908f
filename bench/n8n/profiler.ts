/** CPU profiles of single executions, for those who want to know where the time goes. */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import path from 'node:path';

/** Profiles from `start` to `stop`; each profile is a file that Chrome's developer tools open. */
export class Profiler {
	private readonly session = new Session();

	constructor(private readonly folder: string) {
		this.session.connect();
		this.session.post('Profiler.enable');
	}

	start(): void {
		this.session.post('Profiler.start');
	}

	stop(name: string): void {
		this.session.post('Profiler.stop', (error, result) => {
			if (error) return;
			const file = path.join(this.folder, `${name.replace(/[^\w.-]+/g, '-')}.cpuprofile`);
			writeFileSync(file, JSON.stringify(result.profile));
		});
	}
}
