/** Storages and files, as far as reading shows them. What an upload shows is in ownJobRun.ts. */
import { basis, isOk, ok, outcomeOf, recordOf, type Answer } from '../api';
import { found, Otherwise, verify, type Guess } from '../guess';
import { encoded, isManaged, plainName, text, type Live } from '../context';
import { count, fieldsOf, kindOf, recordsIn, wordsOf, type Json } from '../shape';

const namesOf = (answer: Answer) =>
	recordsIn(answer.json)
		.map(({ name }) => plainName(name))
		.sort()
		.join('\n');

/** The default folder as it is requested usually, and in another way. */
async function listedAlso(live: Live, write: (folder: string) => string): Promise<string> {
	const { id, folder } = await live.defaultFolder();
	const usual = basis(await live.folder(id, encoded(`${folder}/`)));
	const other = ok(await live.folder(id, write(folder)));
	verify(namesOf(other) === namesOf(usual), 'other entries than usual');
	return 'the same entries';
}

/** Seconds for which an address is valid, by what it says itself. */
function secondsOf(address: string): number | undefined {
	const { searchParams } = new URL(address);
	const expires = searchParams.get('X-Amz-Expires');
	return expires === null ? undefined : Number(expires);
}

const FILES_CODE = 'nodes/Wherobots/service/files.ts';

const LISTING_CODE = 'nodes/Wherobots/useCases/files/files.ts';

const isFolder = ({ type }: Json) => type === 'FOLDER';

const isFile = ({ type }: Json) => type === 'FILE';

export const fileGuesses: Guess[] = [
	{
		name: 'storage-list',
		area: 'Files',
		assumed: '`GET /storage` is a list without pages, with exactly one managed storage.',
		matters: 'File: Storage; Create: Upload From Input',
		code: FILES_CODE,
		async check({ api }) {
			const { json } = ok(await api.get('/storage'));
			verify(Array.isArray(json), kindOf(json));
			const managed = recordsIn(json).filter(isManaged).length;
			verify(managed === 1, `${managed} managed storages`);
			return `${json.length} storages`;
		},
	},
	{
		name: 'storage-default-folder',
		area: 'Files',
		assumed:
			'The path of a request begins with `defaultDirectory` in full, below the storage’s `path`.',
		matters: 'File: Path; the folder that Upload and Create propose',
		code: FILES_CODE,
		async check(live) {
			const { path, defaultDirectory } = await live.managed();
			const levels = (value: unknown) =>
				count(plainName(value).split('/').filter(Boolean), 'level');
			const bucket = text(path).replace(/^s3a?:\/\//, '');
			const seen = `path has ${levels(bucket)}, defaultDirectory ${levels(defaultDirectory)}`;
			const { id, folder } = await live.defaultFolder();
			const answer = await live.folder(id, encoded(`${folder}/`));
			verify(isOk(answer), `${seen}; ${outcomeOf(answer)}`);
			return seen;
		},
	},
	{
		name: 'path-leading-slash',
		area: 'Files',
		assumed: 'A path may begin with a slash.',
		matters: 'File: Path',
		code: FILES_CODE,
		check: async (live) => await listedAlso(live, (folder) => `/${encoded(folder)}/`),
	},
	{
		name: 'path-encoded-slashes',
		area: 'Files',
		assumed: 'Slashes of a path may be sent as %2F.',
		matters: 'File: Path, behind a proxy that encodes them',
		code: 'nodes/Wherobots/service/endpoints.ts',
		check: async (live) => await listedAlso(live, (folder) => encodeURIComponent(`/${folder}/`)),
	},
	{
		name: 'folder-without-slash',
		area: 'Files',
		assumed: 'A folder is listed with and without a slash at the end of its path.',
		matters: 'File: Get Many, Folder',
		code: LISTING_CODE,
		check: async (live) => await listedAlso(live, encoded),
	},
	{
		name: 'missing-folder',
		area: 'Files',
		assumed: 'A folder that does not exist is answered by 404, or is empty.',
		matters: 'File: Get Many; Upload: If the File Exists',
		code: LISTING_CODE,
		async check(live) {
			const { id, folder } = await live.defaultFolder();
			const answer = await live.folder(id, encoded(`${folder}/n8n-live-check-no-such-folder/`));
			const isEmpty = isOk(answer) && recordsIn(answer.json).length === 0;
			verify(answer.status === 404 || isEmpty, outcomeOf(answer));
			return isEmpty ? 'empty' : '404';
		},
	},
	{
		name: 'entry-fields',
		area: 'Files',
		assumed: 'An entry has `name` and `type`, `FILE` or `FOLDER`; the name has no folder in it.',
		matters: 'File: Get Many, and lists to pick from',
		code: FILES_CODE,
		async check(live) {
			const { entries } = await live.findFolder(({ length }) => length > 0, 'entries');
			const [first] = entries;
			const fields = fieldsOf(first);
			const types = entries.every(({ type }) => type === 'FILE' || type === 'FOLDER');
			verify(types && typeof first.name === 'string', `fields ${fields}`);
			const nested = entries.some(({ name }) => plainName(name).includes('/'));
			verify(!nested, 'names have folders in them');
			const slash = entries.some(({ name, type }) => type === 'FOLDER' && text(name).endsWith('/'));
			return `fields ${fields}; names of folders ${slash ? 'end' : 'do not end'} in a slash`;
		},
	},
	{
		name: 'entry-path',
		area: 'Files',
		assumed:
			'An entry is requested by the path of its folder and its name, whatever its `path` is.',
		matters: 'File: Get Many, Delete Folder, lists to pick from',
		code: LISTING_CODE,
		async check(live) {
			const place = await live.findFolder((entries) => entries.some(isFolder), 'a folder in it');
			const { id, folder, entries } = place;
			const { name, path } = entries.find(isFolder)!;
			const wanted = `${folder}/${plainName(name)}`;
			ok(await live.folder(id, encoded(`${wanted}/`)));
			if (typeof path !== 'string') return `path is ${kindOf(path)}`;
			if (plainName(path) === wanted) return 'path is the same';
			return plainName(path).endsWith(wanted)
				? 'path has something before it'
				: 'path is something else';
		},
	},
	{
		name: 'listing-pages',
		area: 'Files',
		assumed: 'With `limit`, a page names `next_page` until the last one; that has null or none.',
		matters: 'File: Get Many',
		code: LISTING_CODE,
		async check(live) {
			const place = await live.findFolder(({ length }) => length > 1, 'two entries');
			const { id, folder, entries } = place;
			const path = encoded(`${folder}/`);
			const all = recordOf(await live.folder(id, path, { limit: '1000' })).next_page;
			const first = recordOf(await live.folder(id, path, { limit: '1' }));
			const cursor = text(first.next_page);
			verify(cursor !== '', `after the first entry, next_page is ${kindOf(first.next_page)}`);
			const second = recordOf(await live.folder(id, path, { limit: '1', cursor }));
			verify(namesOf2(second) !== namesOf2(first), 'the second page is the first one');
			verify(
				all === null || all === undefined || entries.length >= 1_000,
				`at the end: ${kindOf(all)}`,
			);
			return `at the end, next_page is ${kindOf(all)}`;
		},
	},
	{
		name: 'download-redirect',
		area: 'Files',
		assumed: 'A download is a redirect to an https address in the storage.',
		matters: 'File: Download',
		code: 'nodes/Wherobots/useCases/files/storage.ts',
		async check(live) {
			const address = await downloadAddress(live);
			return `a redirect; the address ${isSigned(address) ? 'is signed' : 'is not signed'}`;
		},
	},
	{
		name: 'download-expiry',
		area: 'Files',
		assumed: 'The address of a download is valid for about a minute.',
		matters: 'File: Get Link; Download, which then gets another address',
		code: 'nodes/Wherobots/useCases/files/storage.ts',
		async check(live) {
			const address = await downloadAddress(live).catch(() => undefined);
			const seconds = secondsOf(found(address, 'because of download-redirect'));
			const known = found(seconds, 'the address does not say how long it is valid');
			verify(known >= 30 && known <= 120, `${known} seconds`);
			return `${known} seconds`;
		},
	},
	{
		name: 'download-link',
		area: 'Files',
		assumed: '`GET …/file-download-url/{path}` returns `downloadUrl` and `expiresAt`, a time.',
		matters: 'File: Get Link',
		code: 'nodes/Wherobots/service/endpoints.ts',
		async check(live) {
			const values = await someFile(live);
			const answer = await live.api.get('/storage/{id}/file-download-url/{path}', { values });
			const { downloadUrl, expiresAt } = recordOf(answer);
			verify(text(downloadUrl) !== '', `downloadUrl is ${kindOf(downloadUrl)}`);
			const expires = Date.parse(text(expiresAt));
			verify(!Number.isNaN(expires), `expiresAt is ${kindOf(expiresAt)}`);
			const now = Date.parse(answer.headers.get('date') ?? '') || Date.now();
			return `expiresAt is ${Math.round((expires - now) / 1_000)} seconds ahead`;
		},
	},
	{
		name: 'missing-file',
		area: 'Files',
		assumed: 'A file that does not exist is answered by 404, or by a redirect all the same.',
		matters: 'File: Download',
		code: 'nodes/Wherobots/useCases/files/files.ts',
		async check(live) {
			const { id, folder } = await live.defaultFolder();
			const values = { id, path: encoded(`${folder}/n8n-live-check-no-such-file`) };
			const { status } = await live.api.get('/storage/{id}/files/{path}', { values });
			verify(status === 404 || (status >= 300 && status < 400), `status ${status}`);
			return `status ${status}`;
		},
	},
	{
		name: 'my-files',
		area: 'Files',
		assumed:
			'`user_files::` and a region is the ID of the storage My Files, which lists do not have.',
		matters: 'File: Storage',
		code: FILES_CODE,
		async check(live) {
			const { defaultRegion } = recordOf(await live.api.get('/organization'));
			const id = `user_files::${text(defaultRegion)}`;
			const answer = await live.folder(id, '');
			found(answer.status === 404 ? undefined : answer, 'My Files is not enabled here (404)');
			ok(answer);
			const ids = recordsIn(ok(await live.api.get('/storage')).json).map((each) => each.id);
			verify(!ids.includes(id), 'the list of storages has it, too');
			return `its root has entries of type ${wordsOf(recordsIn(answer.json).map(({ type }) => type))}`;
		},
	},
];

const namesOf2 = (page: Json) =>
	recordsIn(page)
		.map(({ name }) => text(name))
		.join('\n');

async function someFile(live: Live): Promise<{ id: string; path: string }> {
	const place = await live.findFolder((entries) => entries.some(isFile), 'a file in it');
	const { name } = place.entries.find(isFile)!;
	return { id: place.id, path: encoded(`${place.folder}/${plainName(name)}`) };
}

const isSigned = (address: string) => /[?&]X-Amz-Signature=/i.test(address);

/** The presigned address of some file; nothing is downloaded. */
async function downloadAddress(live: Live): Promise<string> {
	const values = await someFile(live);
	const answer = await live.api.get('/storage/{id}/files/{path}', { values });
	if (isOk(answer)) throw new Otherwise('the response is the file itself');
	const address = answer.headers.get('location');
	if (answer.status < 300 || answer.status >= 400 || !address)
		throw new Otherwise(outcomeOf(answer));
	verify(URL.canParse(address), 'the address of the redirect is not absolute');
	return address;
}
