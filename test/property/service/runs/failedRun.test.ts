import fc from 'fast-check';

import { explainFailure } from '../../../../nodes/Wherobots/service/runs/failedRun';
import {
	toShownLines,
	removePlatformLines,
} from '../../../../nodes/Wherobots/service/runs/logLines';
import type { LogLine } from '../../../../nodes/Wherobots/service/records';
import { failedLogs } from '../../../support/failedLogs';
import { forAll, USUALLY } from '../../../support/forAll';
import { runs } from '../../../support/runs';

const real = failedLogs.flatMap(({ lines }) => lines);

/** Characters that patterns for lines of logs look for. */
const confusing = fc
	.array(fc.constantFrom(...' |+-[]:.%"\'\t\r\n\u001b\u0007\ud800/0aZ…'), { maxLength: 60 })
	.map((each) => each.join(''));

const anyLine = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(...real) },
	fc.string({ unit: 'binary' }),
	fc.nat(5_000).map((length) => `  ${'x'.repeat(length)}`),
	confusing,
	fc.tuple(fc.constantFrom(...real), confusing).map((each) => each.join('')),
	fc.tuple(confusing, fc.constantFrom(...real)).map((each) => each.join('')),
	fc.constantFrom<unknown>(null, undefined, 7, {}),
);

const asLog = (raws: readonly unknown[]) => raws.map((raw) => ({ timestamp: 1, raw }) as LogLine);
const textsOf = (lines: readonly LogLine[]) => lines.map(({ raw }) => raw);
const explain = (raws: readonly unknown[]) => explainFailure(raws.map((raw) => String(raw ?? '')));

it('any log is explained, in bounded texts without control characters', async () => {
	const logs = fc.array(anyLine, { maxLength: 150 });
	await forAll([logs], runs(300, 20_000), (log) => {
		const { cause = '', location = '', excerpt, returnCode = 0 } = explain(log);
		expect(cause.length).toBeLessThanOrEqual(301);
		expect(location.length).toBeLessThan(2_100);
		expect(excerpt.length).toBeLessThanOrEqual(50);
		expect(Math.max(0, ...excerpt.map(({ length }) => length))).toBeLessThanOrEqual(2_000);
		expect(Number.isSafeInteger(returnCode)).toBe(true);
		expect([cause, location, ...excerpt].join('')).not.toMatch(/[^\P{Cc}\t]/u);
	});
});

it('what the platform writes around a failure changes nothing', async () => {
	const noise = fc.array(
		fc.constantFrom(
			'26/11/25 03:00:42 INFO TaskSetManager: Finished task 1.0 in stage 7.0',
			'26/11/25 03:00:42 WARN TaskSetManager: Lost task 1.0 in stage 7.0',
			'[Stage 7:=====>      (3 + 4) / 8]',
			'\tat org.apache.spark.rdd.RDD.collect(RDD.scala:1046)',
		),
		{ maxLength: 6 },
	);
	const log = fc.constantFrom(...failedLogs);
	await forAll([log, noise, noise], runs(200, 5_000), ({ lines }, before, after) => {
		expect(explain([...before, ...lines, ...after])).toEqual(explain(lines));
	});
});

it("a program's own lines are all kept, in their order", async () => {
	const own = fc.array(fc.stringMatching(/^[a-z ]{1,20}[.!0-9]$/).map((line) => `> ${line}`));
	await forAll([own, fc.nat()], USUALLY, (lines, at) => {
		const harness = [
			'Traceback (most recent call last):',
			'  File "/x/run-scripts/run.py", line 1',
		];
		const place = at % (lines.length + 1);
		const log = [...lines.slice(0, place), ...harness, 'E: x', ...lines.slice(place)];
		expect(textsOf(removePlatformLines(toShownLines(asLog(log))))).toEqual(lines);
	});
});

it.each([
	['spaces', ' '],
	['carriage returns', '\r'],
	['brackets', '['],
	['bars', '10%|'],
	['escape codes', '\u001b['],
	['stages', '[Stage 7:'],
	['edges of groups', '+-'],
	['words', 'a '],
	['causes', 'Caused by: '],
	['lost tasks', 'most recent failure: Lost task 1 in stage 1 (TID 1): '],
	['headings', 'Traceback (most recent call last):'],
	['dots', 'a.'],
	['records', '{"a":'],
	['levels', '1 [ERROR '],
	['crashes', '# C '],
])('a very long line of %s takes no time to speak of', (_, part) => {
	const started = performance.now();
	explain(Array<string>(20).fill(part.repeat(200_000 / part.length)));
	expect(performance.now() - started).toBeLessThan(10_000);
});
