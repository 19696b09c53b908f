/** Logs of failed runs: how each begins to fail, and what the package is to say about it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { REPOSITORY } from '../../scripts/lib/paths';

const FILES = path.join(REPOSITORY, 'test/fixtures/logs');

/** The lines of a log that is kept as a file. */
export const logFile = (name: string): string[] =>
	readFileSync(path.join(FILES, `${name}.txt`), 'utf8')
		.trimEnd()
		.split('\n');

/** What the service's own script writes when the program has ended. */
export const closing = (code: number): string[] => [
	'26/11/25 03:00:41 INFO ShutdownHookManager: Shutdown hook called',
	`26/11/25 03:00:41 ERROR run_submit: Subprocess finished with return code: ${code}`,
	'Traceback (most recent call last):',
	'  File "/home/wherobots/run-scripts/run_submit.py", line 118, in <module>',
	'    sys.exit(main())',
	`RuntimeError: job failed with return code ${code}`,
	'26/11/25 03:00:44 INFO run_submit: done',
];

export interface FailedLog {
	title: string;
	lines: string[];
	/** Fields that are not named must be absent, or not in question where a text is. */
	says: { cause?: string; location?: string; returnCode?: number };
	/** Lines that the excerpt must, and must not, contain. */
	shows?: string[];
	hides?: string[];
}

/** Frames of Spark, Scala and Java. */
export const JVM = [
	'\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:2785)',
	'\tat scala.collection.immutable.List.foreach(List.scala:431)',
	'\tat java.base/java.lang.Thread.run(Thread.java:829)',
];

/** The lines of a text that is indented like the code around it. */
export const text = (lines: string): string[] =>
	lines
		.split('\n')
		.slice(1, -1)
		.map((line) => line.replace(/^\t\t/, ''));

/** How the traceback of an exception begins that nobody caught. */
export const MAIN = text(`
		Traceback (most recent call last):
		  File "/opt/job/tiles.py", line 42, in <module>
		    main()
`);
