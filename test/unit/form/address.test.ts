import { jobRunPart, readAddress } from '../../../nodes/Wherobots/form/address';
import { inputOf } from '../../support/input';

const runIdIn = (entered: unknown) =>
	readAddress(inputOf({ runId: entered }), [jobRunPart]).path.run_id;

describe('the address of a record', () => {
	it.each([
		['3f1c2a9b7d', '3f1c2a9b7d'],
		[17, '17'],
		['a/b?c', 'a/b?c'],
		['https://cloud.wherobots.com/job-runs/3f1c2a9b7d', '3f1c2a9b7d'],
		[' HTTPS://cloud.wherobots.com/runs/3f1c2a9b7d/?tab=logs#x/y ', '3f1c2a9b7d'],
		['http://localhost:8080/job-runs/3f1c2a9b7d', '3f1c2a9b7d'],
		['of https://cloud.wherobots.com/x', 'of https://cloud.wherobots.com/x'],
		['https://cloud.wherobots.com/', 'https://cloud.wherobots.com/'],
	])('uses the ID from %j', (entered, id) => {
		expect(runIdIn(entered)).toBe(id);
	});
});
