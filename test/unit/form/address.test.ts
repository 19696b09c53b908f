import { jobRunPart, readAddress, taskFilter } from '../../../nodes/Wherobots/form/address';
import { apiRequestField } from '../../../nodes/Wherobots/form/fields';
import { sessionStorageField, storageField } from '../../../nodes/Wherobots/actions/files/fields';
import { inputOf } from '../../support/input';

const URL = 'https://cloud.wherobots.com/storage/stor-acme';

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
	])('uses the ID from %j', (entered, id) => {
		expect(runIdIn(entered)).toBe(id);
	});

	it.each([
		'https://cloud.wherobots.com/',
		'https://cloud.wherobots.com/job-runs?page=2',
		'https://www.google.com/search?q=wherobots/job-runs/1',
	])('is not in %j', (entered) => {
		expect(() => runIdIn(entered)).toThrow(
			"'Job Run' must not be a URL, unless it is that of its own page in Wherobots Cloud",
		);
	});

	it.each([
		['the field of files', storageField, 'stor-acme'],
		['an SQL operation', sessionStorageField, 'stor-acme'],
		['a filter', taskFilter, 'stor-acme'],
		['an API request', apiRequestField, URL],
	])('is known from its URL in %s, unless it is a path', (_, field, id) => {
		expect(inputOf({ [field.name]: URL }).optionalText({ ...field })).toBe(id);
	});
});
