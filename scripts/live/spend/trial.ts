/** What `--spend` makes: what it costs beforehand, and the order in which it happens. */
import { recordOf, type Api } from '../api';
import { text, type Live } from '../context';
import { recordsIn } from '../shape';
import { startJobRun } from './jobRun';
import { Made } from './made';
import { runSession } from './session';

export interface Runtime {
	id: string;
	/** Spatial Units an hour, at most; undefined if the service does not say. */
	unitsPerHour?: number;
}

/** The smallest runtime that the account may use. */
export async function smallestRuntime(api: Api): Promise<Runtime> {
	const { runtimes } = recordOf(await api.get('/me/jupyter/lab/config-hint'));
	const [smallest] = recordsIn(runtimes, 'hint')
		.filter(({ enabled }) => enabled !== false)
		.map(({ id, maximumSpatialUnitsPerHour: units }) => ({
			id: text(id),
			unitsPerHour: typeof units === 'number' ? units : undefined,
		}))
		.sort((one, other) => (one.unitsPerHour ?? Infinity) - (other.unitsPerHour ?? Infinity));
	return smallest ?? { id: 'tiny' };
}

/** What will be made, and what that costs, in whole sentences. */
export function planOf({ id, unitsPerHour }: Runtime): string {
	const cost =
		unitsPerHour === undefined
			? 'The service does not say how many Spatial Units an hour that takes.'
			: `That takes up to ${unitsPerHour} Spatial Units an hour, so about ${(unitsPerHour / 3).toFixed(1)} in all.`;
	return `It also makes, and pays for:
  - a folder and a small script in the default folder of the managed storage
  - a job run of that script on the runtime ${id}, for about ten minutes with its start, at most 15
  - a SQL session on the runtime ${id}, for about ten minutes, with twelve statements,
    which also create a table in a managed catalog and drop it
${cost}
All of it is removed at the end, also after a failure or Ctrl-C. What stays: the job run in the list of
runs, the folder scripts/, and two results of a few bytes where SQL sessions store theirs.
`;
}

/**
 * Makes a job run and a SQL session, at the same time as far as they take long.
 *
 * @param made what has to be removed when everything is checked; the session is removed here
 * @returns what failed or may be left of the session
 * @throws when it is stopped
 */
export async function makeTrials(live: Live, made: Made, runtime: string): Promise<string[]> {
	const { signal } = live.api.options;
	const problems: string[] = [];
	const attempt = async <T>(what: string, work: Promise<T>): Promise<T | undefined> => {
		try {
			return await work;
		} catch (error) {
			signal.throwIfAborted();
			problems.push(`${what}: ${(error as Error).message}`);
			return undefined;
		}
	};
	const waitForRun = await attempt('The job run', startJobRun(live, made, runtime));
	const session = new Made();
	try {
		await attempt('The SQL session', runSession(live, session, runtime));
	} finally {
		problems.push(...(await session.removeAll()).map((left) => `Perhaps left: ${left}`));
	}
	if (waitForRun) await attempt('The job run', waitForRun());
	return problems;
}
