import type { Bench } from '../bench';
import { type Chapter, spread } from '../measure';
import type { Figures, ManyTriggersFunctions, Scene } from '../processes/manyTriggers';
import { startRemote } from '../processes/remote';

const SECOND = 1_000;
const INTERVAL_MS = 60_000;

interface Measured extends Omit<Figures, 'lateMs'> {
	scene: Scene;
	/** By when 95% of the events have come, and the latest one, in milliseconds after the ends of runs. */
	late95: number;
	latest: number;
}

/** Triggers on one key, as many as an organization may have. */
export async function manyTriggers({ install, scale }: Bench): Promise<Chapter[]> {
	const remote = await startRemote<ManyTriggersFunctions>('manyTriggers', install.node.bin);
	const measure = async (scene: Scene): Promise<Measured> => {
		const { lateMs, ...figures } = await remote.call.measure(scene);
		const late95 = lateMs[Math.floor(lateMs.length * 0.95)];
		return { scene, ...figures, late95, latest: lateMs.at(-1) ?? NaN };
	};
	try {
		const measured: Measured[] = [];
		for (const triggers of scale.triggers) measured.push(await measure({ triggers }));
		const most = Math.max(...scale.triggers);
		measured.push(await measure({ triggers: most, isMixed: true }));
		for (const everyMinutes of [5, 15])
			measured.push(await measure({ triggers: most, everyMinutes }));
		for (const triggers of scale.pausedTriggers)
			measured.push(await measure({ triggers, pausedMinutes: 60 }));
		return [
			{
				title: 'Many triggers on one key',
				how: 'In virtual time, at the published rate, with 20 job runs a minute, of which 2 fail, and 100 ms for each response: n8n is restarted, perhaps after an hour, and starts five triggers at a time, each until its first poll is over; they poll once a minute, or every 5 or 15 minutes. Those of job runs have ten different names as filters; mixed ones watch the status, duration and cost of runs by four names, audit events by three search terms, and three tables. Requests are those of a minute, five to eleven intervals after that. The time is from the end of a run to its event.',
				rows: measured.map((each) => ({
					side: describeScene(each.scene),
					time: spread([each.late95, each.latest]),
					note: `95% and all events after the end; ${each.perMinute} requests a minute, ${each.inFirstMinute} in the first one; all polled after ${(each.allPolledMs / SECOND).toFixed(0)} s`,
				})),
				checks: measured.flatMap(listChecks),
			},
		];
	} finally {
		await remote.stop();
	}
}

function describeScene({ triggers, isMixed, pausedMinutes, everyMinutes }: Scene): string {
	const paused = pausedMinutes ? `, after ${pausedMinutes} minutes` : '';
	const which = isMixed ? ', mixed' : everyMinutes ? `, every ${everyMinutes} minutes` : paused;
	return `${triggers.toLocaleString('en')} triggers${which}`;
}

function listChecks({ scene, ...figures }: Measured) {
	const check = (target: string, reached: number, most: number, unit = '') => ({
		target: `${describeScene(scene)}: ${target}`,
		reached: `${reached.toFixed(0)}${unit}`,
		met: reached <= most,
	});
	const seconds = (ms: number) => ms / SECOND;
	const interval = seconds(INTERVAL_MS) * (scene.everyMinutes ?? 1);
	return [
		check('no event lost or repeated', figures.repeated + Number(figures.latest === Infinity), 0),
		check('no request over the published rate', figures.overRate, 0),
		// Two lists for each of 10 filters, shared for ten seconds; 20 runs end.
		check('at most 80 requests a minute (mixed: 150)', figures.perMinute, scene.isMixed ? 150 : 80),
		check('95% of events within an interval', seconds(figures.late95), interval, ' s'),
		check('all events within two', seconds(figures.latest), 2 * interval, ' s'),
		check('all have polled within 2 minutes', seconds(figures.allPolledMs), 120, ' s'),
		check('an execution waits 2 s at most', seconds(figures.longestWaitMs), 2, ' s'),
	];
}
