/** Log lines of a run, and when each can be read. */
import { isTerminal, type LogLine, type RunRecord, type Transition } from './runTypes';

/** A line of Spark or of the service's own script, before it has its time. */
const LEVEL = /^(INFO|WARN|ERROR) /;

/** Such a line as it is in the log; those of the program stay as they are. */
function addTime(raw: string, at: number): string {
	if (!LEVEL.test(raw)) return raw;
	const time = new Date(at).toISOString().slice(2, 19).replaceAll('-', '/').replace('T', ' ');
	return `${time} ${raw}`;
}

function startLines(run: RunRecord): string[] {
	const { runPython, runJar } = run.payload;
	const file = runPython ?? runJar;
	return [
		'Setting default log level to "WARN".',
		`INFO SparkContext: Running Spark for ${run.payload.name}`,
		`INFO SparkContext: Runtime ${run.payload.runtime ?? 'default'} in ${run.region}`,
		`INFO ResourceUtils: Fetching ${file?.uri ?? ''}`,
		`INFO Driver: Arguments ${JSON.stringify(file?.args ?? [])}`,
		'read 1,204 tiles',
	];
}

/** Frames of the JVM, which stand between the lines of a program's traceback and after it. */
const JVM_FRAMES = [
	'	at org.apache.spark.sql.catalyst.analysis.CheckAnalysis.checkAnalysis(CheckAnalysis.scala:160)',
	'	at scala.collection.immutable.List.foreach(List.scala:431)',
	'	at java.base/java.lang.Thread.run(Thread.java:829)',
];

/** Enough of them that the last lines of the log do not show the cause. */
const manyFrames = (): string[] => Array<string[]>(8).fill(JVM_FRAMES).flat();

/** The cause that the run's message names, as the program itself reports it. */
function causeLines({ plan, payload }: RunRecord): string[] {
	const cause = plan.message?.replace(/^Job failed: /, '');
	if (payload.runJar) {
		const main = payload.runJar.mainClass ?? 'Main';
		const file = `${main.split('.').pop()}.java`;
		return [
			'Exception in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure',
			...JVM_FRAMES,
			`	at ${main}.main(${file}:42)`,
			`Caused by: ${cause ?? 'java.lang.RuntimeException: job execution failed'}`,
			`	at ${main}.transform(${file}:23)`,
			...manyFrames(),
		];
	}
	const file = payload.runPython?.uri.split('/').pop() ?? 'main.py';
	return [
		'Traceback (most recent call last):',
		`  File "/opt/job/${file}", line 42, in <module>`,
		'    main()',
		`  File "/opt/job/${file}", line 31, in main`,
		'    result = transform(frame)',
		...JVM_FRAMES,
		cause ?? 'RuntimeError: job execution failed',
		...manyFrames(),
	];
}

/** What the service's own script writes once the program has ended with a code. */
function closingLines(code: number): string[] {
	return [
		'INFO ShutdownHookManager: Shutdown hook called',
		`ERROR run_submit: Subprocess finished with return code: ${code}`,
		'Traceback (most recent call last):',
		'  File "/home/wherobots/run-scripts/run_submit.py", line 118, in <module>',
		'    sys.exit(main())',
		'  File "/home/wherobots/run-scripts/run_submit.py", line 97, in main',
		'    raise RuntimeError(f"job failed with return code {code}")',
		`RuntimeError: job failed with return code ${code}`,
		'INFO run_submit: uploading event logs',
	];
}

function endLines(run: RunRecord, end: Transition): string[] {
	const timedOut = `ERROR Driver: exceeded timeout of ${run.payload.timeoutSeconds} seconds, stopping`;
	const program = run.payload.runPython ?? run.payload.runJar;
	switch (end.status) {
		case 'FAILED':
			if (run.plan.outcome === 'FAILED_TIMEOUT') return [timedOut];
			return [...causeLines(run), ...closingLines(1)];
		case 'TIMED_OUT':
			return [timedOut];
		case 'CANCELLED':
			return ['WARN Driver: cancellation requested, stopping'];
		default:
			return [
				'wrote 12,480 rows',
				// A program that returns what it did as data.
				...(/ingest/.test(program?.uri ?? '') ? ['N8N_OUTPUT {"rows": 12480}'] : []),
				'INFO SparkContext: Successfully stopped',
			];
	}
}

function progressLines(count: number): string[] {
	return Array.from(
		{ length: count },
		(_, index) => `INFO TaskSetManager: Finished task ${index + 1} of ${count}`,
	);
}

/**
 * Every line that the run writes according to its plan, spread evenly over its planned running time. An
 * earlier end only cuts lines off, so that those that were read before keep their times.
 */
function plannedLines(run: RunRecord): LogLine[] {
	const start = run.transitions.find(({ status }) => status === 'RUNNING');
	if (!start) return [];
	const end = run.transitions.find(({ status }) => isTerminal(status));
	const { logs } = run.plan;
	const own = typeof logs === 'number' ? progressLines(logs) : logs;
	const body = own ?? [...startLines(run), ...progressLines(16)];
	const closing = own || !end ? [] : endLines(run, end);
	const span = run.plan.runningMs;
	const line = (raw: string, at: number): LogLine => ({
		raw: own ? raw : addTime(raw, at),
		at,
		visibleAt: at + run.plan.logDelayMs,
	});
	return [
		...body
			.map((raw, index) => line(raw, start.at + Math.floor((span * (index + 1)) / body.length)))
			.filter(({ at }) => !end || at <= end.at),
		...(end ? closing.map((raw) => line(raw, end.at)) : []),
	];
}

/**
 * The lines that can be read at `now`, in the order in which they become readable, and otherwise in the
 * order in which they were written.
 */
export function linesAt(run: RunRecord, now: number): LogLine[] {
	return [...plannedLines(run), ...run.addedLines]
		.filter(({ visibleAt }) => visibleAt <= now)
		.sort((a, b) => a.visibleAt - b.visibleAt || a.at - b.at);
}
