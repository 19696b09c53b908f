/** What a person sees while something long runs: a line now and then tells that work goes on. */
const INTERVAL_MS = 20_000;

/** Steps that are going on, the innermost last: only that one reports. */
const going: symbol[] = [];

/**
 * Announces a step on stderr and reports on it every 20 seconds until it ends.
 *
 * @param detail what is going on right now, asked for at each report
 */
export function startStep(title: string, detail?: () => string) {
	const started = Date.now();
	const self = Symbol(title);
	const write = (...parts: Array<string | undefined>) =>
		process.stderr.write(`${parts.filter(Boolean).join('  ')}\n`);
	const timer = setInterval(() => {
		if (going.at(-1) === self) write(`  ${title} …`, elapsed(started), detail?.());
	}, INTERVAL_MS);
	timer.unref();
	going.push(self);
	write(`- ${title} …`);
	const end = (mark: string) => {
		clearInterval(timer);
		going.splice(going.indexOf(self), 1);
		write(`${mark} ${title}`, `(${elapsed(started)})`);
	};
	return { done: () => end('✔'), fail: () => end('✖') };
}

/** Runs `work` as a step that ends when it does; `detail` as for `startStep`. */
export async function step<T>(
	title: string,
	work: () => Promise<T>,
	detail?: () => string,
): Promise<T> {
	const running = startStep(title, detail);
	try {
		const result = await work();
		running.done();
		return result;
	} catch (error) {
		running.fail();
		throw error;
	}
}

function elapsed(started: number): string {
	const seconds = Math.round((Date.now() - started) / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
