/** wherobots-python-sdk: files, and the storages behind scripts and dependencies. */
import { describeWith } from './environment';
import { startJudge, type Judge, type Outcomes } from './judge';

/** The object that stands for an empty folder: a nameless file. */
const marker = ['', false, 0];

describeWith('clients')('wherobots-python-sdk', () => {
	let judge: Judge;
	let files: Outcomes;

	beforeAll(async () => {
		judge = await startJudge('clients');
		for (let index = 0; index < 1_200; index += 1) {
			judge.sandbox.store.storages.put('user_files::aws-us-west-2', `many/${index}.txt`, 'x');
		}
		files = await judge.work('files.py');
	});

	afterAll(async () => await judge?.stop());

	it('addresses the own files of a region by their storage ID', () => {
		expect(files.root).toEqual({
			entries: [
				['many', true, 0],
				['notes.txt', false, 5],
			],
			storage: 'user_files::aws-us-west-2',
		});
	});

	it('makes a folder level by level, and lists it with and without slashes at its ends', () => {
		expect(files.folders_made).toEqual([
			[marker, ['deep', true, 0]],
			[marker, ['er', true, 0]],
			[marker],
		]);
	});

	it('fails in 0.5.1 on a folder that exists where the service refuses it, which other clients expect', () => {
		expect(files.folders_made_again).toEqual({
			error: 'WherobotsAPIError',
			message: expect.stringContaining('(status 409)'),
		});
	});

	it('uploads to a presigned address, and gets the place of the file', () => {
		expect(files.uploaded).toEqual({
			destination: 's3://wbts-user-files/u1/vendor/größe 1.csv',
			entries: [marker, ['deep', true, 0], ['größe 1.csv', false, 5]],
		});
		expect(files.uploaded_with_slash).toBe('s3://wbts-user-files/u1/vendor/again.csv');
		expect(judge.sandbox.presigned.requests).toMatchObject([
			{ method: 'PUT', status: 200 },
			{ method: 'PUT', status: 200 },
		]);
	});

	it('renames a file within its folder', () => {
		expect(files.renamed).toEqual([
			marker,
			['deep', true, 0],
			['50 % # ?.csv', false, 5],
			['again.csv', false, 5],
		]);
	});

	it('deletes a file and a folder', () => {
		expect(files.deleted).toEqual([marker, ['50 % # ?.csv', false, 5]]);
	});

	it.each(['missing', 'renamed_missing'])('knows what is %s from what is not enabled', (which) => {
		expect(files[which].error).toBe('WherobotsFileNotFoundError');
	});

	it('lists a folder through its pages', () => {
		expect(files.many).toBe(1_200);
	});

	it('cannot download in 0.5.1, as its session forbids the redirect that it asks for', () => {
		expect(files.downloaded).toEqual({
			error: 'WherobotsAPIError',
			message: 'Request failed: Exceeded 0 redirects.',
		});
		expect(judge.sandbox.requests.of('downloadFile')).toMatchObject([{ status: 307 }]);
	});

	it('finds the managed storage and its default folder among the storages', () => {
		expect(files.storage_list).toEqual([
			{
				default: true,
				id: 'stor-managed',
				managed: true,
				path: expect.stringMatching(/^s3:\/\/wbts-wbc-\w{10}$/),
				region: 'aws-us-west-2',
			},
			expect.objectContaining({ id: 'stor-acme', managed: false, path: 's3://acme-jobs' }),
			expect.objectContaining({ id: 'stor-open-data', managed: false }),
		]);
	});

	it('gets temporary credentials for reading and for writing', () => {
		const usable = { expired: false, key: 'ASIA', region: 'us-west-2', token: true };
		expect(files.credentials.modes).toMatchObject({ read: usable, read_write: usable });
	});

	it('gets no credentials for a bucket that is not registered', () => {
		expect(files.credentials_of_strangers.message).toContain('(status 400)');
	});

	it('uploads a script and a wheel below the default folder and submits a run of them', () => {
		const { script, wheel } = files.run_of_local_files;
		expect(script).toMatch(/^s3:\/\/wbts-wbc-\w{10}\/\w{10}\/data\/customer-\w{14}\//);
		expect(script).toMatch(/\/scripts\/script\.py$/);
		expect(wheel).toBe(
			script.replace('scripts/script.py', 'dependencies/helpers-1.0-py3-none-any.whl'),
		);
		expect(judge.s3.uploads.map(({ place }) => `s3://${place}`)).toEqual([
			wheel,
			script,
			files.into_an_integration,
		]);
	});

	it('uploads into a storage integration', () => {
		expect(files.into_an_integration).toBe('s3://acme-jobs/lib/v1/helpers-1.0-py3-none-any.whl');
	});
});
