/** What only a job run and a file of one's own show. */
import { errorsOf, isOk, ok, outcomeOf } from '../api';
import { found, verify, type Guess } from '../guess';
import { plainName, type Live } from '../context';
import { count, fieldsOf, isRecord, recordsIn } from '../shape';
import { findOutput } from '../../../nodes/Wherobots/service/runs/runOutput';
import { CAUSE, MARK, OUTPUT_LENGTH } from '../spend/jobRun';

/** The submission that succeeded. */
function submitted({ jobTrial: { submissions } }: Live) {
	const last = found(
		submissions.at(-1),
		'nothing was submitted, because the script was not stored',
	);
	return ok(last);
}

function lines({ jobTrial }: Live): string[] {
	return found(jobTrial.lines.length > 0 ? jobTrial.lines : undefined, 'the run has no log');
}

const RETURN_CODE = /return code: \d+/;

export const ownJobRunGuesses: Guess[] = [
	{
		name: 'run-region-optional',
		area: 'Job runs',
		assumed: 'A run is submitted without a region; it gets the organization’s default.',
		matters: 'Create: Region, with Organization Default',
		code: 'nodes/Wherobots/actions/runs/index.ts',
		spends: true,
		check(live) {
			submitted(live);
			const { submissions, leftOut } = live.jobTrial;
			verify(leftOut.includes('region'), outcomeOf(submissions[0]));
			return 'accepted without a region';
		},
	},
	{
		name: 'run-runtime-optional',
		area: 'Job runs',
		assumed: 'A run needs no runtime; it gets the organization’s default.',
		matters: 'Create: Runtime, with Organization Default',
		code: 'nodes/Wherobots/actions/runs/index.ts',
		spends: true,
		check({ jobTrial }) {
			const answer = found(jobTrial.withoutRuntime, 'nothing was submitted without a runtime');
			if (isOk(answer)) return 'accepted, even without a program';
			const errors = errorsOf(answer);
			found(errors[0], outcomeOf(answer));
			verify(!/runtime/i.test(JSON.stringify(errors)), outcomeOf(answer));
			return 'only the missing program is refused';
		},
	},
	{
		name: 'run-spark-settings',
		area: 'Job runs',
		assumed: 'Spark settings need no dependencies.',
		matters: 'Create: Spark Configuration',
		code: 'nodes/Wherobots/service/records/jobRun.ts',
		spends: true,
		check(live) {
			submitted(live);
			const { submissions, leftOut } = live.jobTrial;
			const refused = submissions.map(outcomeOf).filter((each) => each.includes('dependencies'));
			verify(leftOut.includes('dependencies'), refused.join('; '));
			return 'accepted without dependencies';
		},
	},
	{
		name: 'run-statuses',
		area: 'Job runs',
		assumed:
			'A run is PENDING, then RUNNING, then has ended; a script that raises an error has FAILED.',
		matters: 'Wait for Completion',
		code: 'nodes/Wherobots/service/records/jobRun.ts',
		spends: true,
		check(live) {
			submitted(live);
			const { statuses } = live.jobTrial;
			const seen = statuses.join(', ');
			verify(statuses.at(-1) === 'FAILED', seen);
			const known = ['PENDING', 'RUNNING', 'FAILED'];
			verify(
				statuses.every((status) => known.includes(status)),
				seen,
			);
			return seen;
		},
	},
	{
		name: 'failed-run-log',
		area: 'Logs of job runs',
		assumed:
			'The log of a failed script has its traceback with the name of its file, and at the end a line with the return code.',
		matters: 'Why a run has failed: cause, location, excerpt, returnCode',
		code: 'nodes/Wherobots/useCases/runs/wait.ts',
		spends: true,
		check(live) {
			const log = lines(live);
			const trace = log.findIndex((line) => line.includes('Traceback (most recent call last)'));
			const cause = log.findIndex((line) => line.includes('Error'));
			const code = log.findIndex((line) => RETURN_CODE.test(line));
			const inFile = log.some((line) => /File ".*\.py", line \d+/.test(line));
			const order = Object.entries({ traceback: trace, cause, 'return code': code });
			const seen = `${log.length} lines; ${order.map(([name, at]) => `${name}: ${at < 0 ? 'none' : `line ${at + 1}`}`).join(', ')}; file ${inFile ? 'named' : 'not named'}; own cause ${log.some((line) => line.includes(CAUSE)) ? 'there' : 'missing'}`;
			verify(trace >= 0 && inFile && code > trace, seen);
			return seen;
		},
	},
	{
		name: 'run-log-output',
		area: 'Logs of job runs',
		assumed: 'What a script prints is in the log, a line each.',
		matters: 'Get Logs',
		code: 'nodes/Wherobots/useCases/runs/logs.ts',
		spends: true,
		check(live) {
			const own = lines(live).filter((line) => line.includes(MARK));
			found(own[0], 'none of the printed lines is in the log');
			verify(own.length === 5, `${own.length} of 5 lines`);
			return own.every((line) => line.trim().startsWith(MARK)) ? 'as printed' : 'with a prefix';
		},
	},
	{
		name: 'run-log-long-line',
		area: 'Logs of job runs',
		assumed: 'A printed line of 60 kB is one line of the log, and nothing of it is missing.',
		matters: 'Include Output',
		code: 'nodes/Wherobots/service/runs/runOutput.ts',
		spends: true,
		check(live) {
			const output = found(findOutput(lines(live)), 'the printed output is not in the log');
			const whole = `"${'x'.repeat(OUTPUT_LENGTH)}"`;
			verify(output === whole, `${output.length} of ${whole.length} characters`);
			return 'as printed';
		},
	},
	{
		name: 'upload-destination',
		area: 'Files',
		assumed:
			'The address of an uploaded file is the storage’s `path`, a slash and the path of the request.',
		matters: 'File: Upload; Create: Upload From Input',
		code: 'nodes/Wherobots/useCases/files/storage.ts',
		spends: true,
		check(live) {
			const { destination, expectedDestination } = live.jobTrial;
			const actual = found(destination, 'nothing was uploaded');
			const plain = (address: string) => plainName(address.replace(/^s3a?:\/\//, ''));
			const [one, other] = [plain(actual), plain(expectedDestination)];
			const levels = `${one.split('/').length} levels instead of ${other.split('/').length}`;
			verify(one === other, `another address, ${levels}`);
			return 'the same';
		},
	},
	{
		name: 'upload-headers',
		area: 'Files',
		assumed: 'An upload to the storage takes no key and no content type.',
		matters: 'File: Upload',
		code: 'nodes/Wherobots/transport/http.ts',
		spends: true,
		check(live) {
			const status = found(live.jobTrial.putStatus, 'there was no upload');
			verify(status >= 200 && status < 300, `the storage answers ${status}`);
			return `the storage answers ${status}`;
		},
	},
	{
		name: 'folder-create',
		area: 'Files',
		assumed: 'Creating a folder succeeds, and again is answered by 409 or succeeds.',
		matters: 'File: Create Folder, whose `created` may be untrue then',
		code: 'nodes/Wherobots/useCases/files/files.ts',
		spends: true,
		check(live) {
			const { made, again } = live.jobTrial.folder;
			ok(found(made, 'no folder was made'));
			const second = found(again, 'no folder was made again');
			verify(second.status === 409 || isOk(second), outcomeOf(second));
			return `again: ${second.status}`;
		},
	},
	{
		name: 'folder-marker',
		area: 'Files',
		assumed: 'The only entry of an empty folder is its marker, if any, with an empty name.',
		matters: 'File: Get Many, Delete Folder',
		code: 'nodes/Wherobots/useCases/files/files.ts',
		spends: true,
		check(live) {
			const answer = ok(found(live.jobTrial.folder.empty, 'no empty folder was listed'));
			const entries = recordsIn(answer.json);
			if (entries.length === 0) return 'no marker';
			const [marker] = entries;
			const seen = `${count(entries, 'entry', 'entries')}, with ${fieldsOf(isRecord(marker) ? marker : {})}`;
			verify(entries.length === 1 && plainName(marker.name) === '', seen);
			return seen;
		},
	},
];
