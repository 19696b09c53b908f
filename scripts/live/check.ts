/** The whole of `npm run live`, apart from its terminal and its files. */
import { DEFAULT_BASE_URL } from '../../nodes/Wherobots/service/deployment';
import { Api, errorsOf, type ApiOptions } from './api';
import { Live } from './context';
import { examine, type Result } from './examine';
import { Mask } from './mask';
import { line, renderReport, summary, VOCABULARY } from './report';
import { Made } from './spend/made';
import { makeTrials, planOf, smallestRuntime } from './spend/trial';

export interface LiveCheckOptions extends Omit<ApiOptions, 'mask'> {
	/** Whether a job run and a SQL session are made, too. */
	spend: boolean;
	/** Whether to go on, after it has been said what will be done. */
	confirm(): Promise<boolean>;
	/** Writes for people. */
	say(text: string): void;
}

export interface LiveCheck {
	/** Nothing when it was stopped, or not agreed to. */
	results: Result[];
	/** The report, if it was not stopped. */
	text?: string;
	counts?: string;
	/** What was made and could not be removed. */
	left: string[];
}

/** A problem of the use rather than of the service. */
export class UsageError extends Error {}

/** @throws UsageError when the key is not valid, or there is no such service */
export async function liveCheck(options: LiveCheckOptions): Promise<LiveCheck> {
	const { baseUrl, key, spend, signal, say } = options;
	const mask = new Mask([key, new URL(baseUrl).hostname], VOCABULARY);
	const api = new Api({ ...options, mask });
	const live = new Live(api);
	const made = new Made();
	let done: Omit<LiveCheck, 'left'> = { results: [] };
	try {
		await checkKey(api);
		say('This makes about 60 requests that only read, which cost nothing.\n');
		const runtime = spend ? await smallestRuntime(api) : undefined;
		if (runtime) say(planOf(runtime));
		if (await options.confirm()) {
			if (runtime) say('Making a job run and a SQL session; this may take half an hour …\n');
			const problems = runtime ? await makeTrials(live, made, runtime.id) : [];
			const results = await examine(live, (result) => say(mask.apply(line(result))));
			const isDefaultService = baseUrl === DEFAULT_BASE_URL;
			const around = { spent: spend, isDefaultService, problems, date: new Date() };
			const text = mask.apply(renderReport(results, around));
			done = { results, text, counts: summary(results) };
		}
	} catch (error) {
		// Stopped: what was made is removed all the same.
		if (!signal.aborted) throw error;
	} finally {
		done = { ...done, left: await made.removeAll() } as LiveCheck;
	}
	return done as LiveCheck;
}

async function checkKey(api: Api): Promise<void> {
	const answer = await api.get('/organization').catch((error: Error) => {
		throw new UsageError(`The service cannot be reached: ${String(error.cause ?? error.message)}`);
	});
	if (answer.status === 401) {
		throw new UsageError('The service rejects the key in WHEROBOTS_API_KEY (status 401).');
	}
	if (answer.status >= 400 && errorsOf(answer).length === 0) {
		throw new UsageError(`WHEROBOTS_BASE_URL does not lead to the service (${answer.status}).`);
	}
}
