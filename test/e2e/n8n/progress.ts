/** What a person sees while something long runs. */
export interface Step {
	/** Ends the step; `summary` is added to its line. */
	done(summary?: string): void;
	fail(summary?: string): void;
}

export type Detail = () => string;

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const TERMINAL_INTERVAL_MS = 120;
/** Without a terminal every line stays, so one now and then tells that work goes on. */
const LOG_INTERVAL_MS = 20_000;

/** Steps that are going on, the innermost last: only that one reports. */
const going: symbol[] = [];

/**
 * Announces a step on stderr and reports on it until it ends: as one line that moves at a
 * terminal, as a line every 20 seconds elsewhere.
 *
 * @param detail what is going on right now, asked for at each report
 */
export function startStep(title: string, detail?: Detail): Step {
	const terminal = Boolean(process.stderr.isTTY);
	const started = Date.now();
	const self = Symbol(title);
	let frame = 0;
	const write = (text: string) => process.stderr.write(text);
	const line = () => [`${title} …`, elapsed(started), detail?.()].filter(Boolean).join('  ');
	const report = () => {
		if (going.at(-1) !== self) return;
		if (terminal) write(`\r\u001b[2K${FRAMES[frame++ % FRAMES.length]} ${clip(line())}`);
		else write(`  ${line()}\n`);
	};
	going.push(self);
	if (terminal) report();
	else write(`- ${title} …\n`);
	const timer = setInterval(report, terminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
	timer.unref();
	const end = (mark: string, summary?: string) => {
		clearInterval(timer);
		going.splice(going.indexOf(self), 1);
		const text = [title, `(${elapsed(started)})`, summary].filter(Boolean).join('  ');
		write(`${terminal ? '\r\u001b[2K' : ''}${mark} ${text}\n`);
	};
	return {
		done: (summary) => end('✔', summary),
		fail: (summary) => end('✖', summary),
	};
}

/** Runs `work` as a step that ends when it does. */
export async function step<T>(title: string, work: () => Promise<T>, detail?: Detail): Promise<T> {
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

function clip(text: string): string {
	return text.slice(0, Math.max(20, (process.stderr.columns ?? 80) - 4));
}
