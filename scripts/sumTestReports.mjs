/**
 * Adds up the jest reports that its arguments name and prints one line, `N passed, N failed`. A suite
 * that could not run counts as one failure, and so does a missing report. Plain JavaScript, because it
 * also has to work when nothing could be installed.
 */
import { readFileSync } from 'node:fs';

const total = { passed: 0, failed: 0, skipped: 0 };

for (const file of process.argv.slice(2)) {
	const report = read(file);
	if (!report || report.numTotalTests === 0) {
		console.error(`No tests are reported in ${file}`);
		total.failed += 1;
		continue;
	}
	total.passed += report.numPassedTests;
	total.failed += report.numFailedTests + report.numRuntimeErrorTestSuites;
	total.skipped += report.numPendingTests + report.numTodoTests;
}

if (total.skipped > 0) console.error(`${total.skipped} skipped`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

function read(file) {
	try {
		return JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		return undefined;
	}
}
