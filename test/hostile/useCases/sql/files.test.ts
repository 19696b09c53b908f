import { ok } from '../../../engine/harness';
import { suiteWithSandbox } from '../../../engine/harness/suite';
import type { StorageFault } from '../../../sandbox';
import { againstSession, frame, READ, sent } from './againstSession';

const suite = suiteWithSandbox({ seed: 'empty' });
const { against, query } = againstSession(suite);

const CSV = 'id,name\n1,Bonn\n2,Seattle\n';
const csv = { output: 'csv' };

const onSuccess = frame(undefined, 'succeeded');

/** The outcome when the message of the success has other members. */
const changed = async (change: object) => {
	const edit = (event: object) => ({ ...event, ...change });
	return await against({ ...onSuccess, fault: { kind: 'edit', edit } }, READ, csv);
};

const textOf = (items: Awaited<ReturnType<typeof query>>['items']) =>
	Buffer.from(items[0]?.binary?.data.data ?? '', 'base64').toString();

describe('the file of a result', () => {
	it.each<[string, StorageFault]>([
		['is always cut off', { kind: 'cut', bytes: 5 }],
		['is too short, and has no length', { kind: 'short', bytes: 8, framing: 'close' }],
		['has expired', { kind: 'refuse', status: 403, code: 'AccessDenied' }],
		['does not exist', { kind: 'refuse', status: 404, code: 'NoSuchKey' }],
		[
			'leads elsewhere',
			{ kind: 'reply', status: 302, headers: { location: 'https://evil.example/' } },
		],
	])('is an error that says so when it %s', async (_, fault) => {
		suite.presigned.addFault({ method: 'GET', fault });
		const { items, error } = await query(READ, csv);
		expect(items).toEqual([]);
		expect(error?.description).toMatch(/The statement succeeded/);
		expect(sent(suite.sandbox)).toEqual({ [READ]: 1 });
	});

	it.each([
		['s3://bucket/x.csv', /not provide a URL for downloading/],
		['http://storage.example/x.csv?X-Amz-Signature=abcd', /not secure/],
		['file:///etc/passwd', /not provide a URL for downloading/],
		['nonsense', /not provide a URL for downloading/],
	])('is not downloaded from %s', async (result_uri, message) => {
		const { error } = await changed({ result_uri });
		expect(error?.message).toMatch(message);
		expect(suite.presigned.requests).toEqual([]);
	});

	it.each([[{ result_uri: undefined }], [{ result_uri: null }], [{ result_uri: '' }]])(
		'is never taken for an empty result when it has a size: %j',
		async (change) => {
			const { error, items } = await changed(change);
			expect(items).toEqual([]);
			expect(error?.message).toBe('The statement succeeded, but its result did not arrive');
		},
	);

	it.each(['null', 'absent'] as const)('does not exist for an empty result', async (uri) => {
		suite.variants.sqlResultUri = uri;
		suite.sql.answer(READ, { columns: ['id'], rows: [] });
		const { json } = ok(await query(READ, csv));
		expect(json).toMatchObject([{ state: 'succeeded', rows: 0 }]);
	});

	it('is found when the message with its address is lost', async () => {
		suite.sql.addFault({ ...onSuccess, times: 1, fault: { kind: 'lose' } });
		expect(textOf(ok(await query(READ, csv)).items)).toBe(CSV);
	});

	it('may have an unstated size', async () => {
		suite.variants.sqlFileSize = 'absent';
		expect(textOf((await query(READ, csv)).items)).toBe(CSV);
	});
});
