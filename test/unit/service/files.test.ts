import {
	asFolder,
	isFolder,
	isMarker,
	isMyFiles,
	levelsOf,
	myFilesId,
	nameOf,
	parentOf,
} from '../../../nodes/Wherobots/service/files';
import * as rules from '../../../nodes/Wherobots/service/rules';

describe('paths', () => {
	it.each([
		['a/b/', 'a/', 'b'],
		['a/b', 'a/', 'b'],
		['a', '', 'a'],
		['data/jobs/etl.py', 'data/jobs/', 'etl.py'],
		['data/jobs/', 'data/', 'jobs'],
		['', '', ''],
	])('of %j has parent %j and name %j', (path, parent, name) => {
		expect([parentOf(path), nameOf(path)]).toEqual([parent, name]);
	});

	it.each([
		['', ''],
		['/', ''],
		['a', 'a/'],
		['//a/b//', 'a/b/'],
	])('%j is the folder %j', (text, folder) => {
		expect(asFolder(text)).toBe(folder);
	});

	it('of another kind, as the service may send them, are read as text', () => {
		expect(nameOf(7 as never)).toBe('7');
		expect(asFolder(7 as never)).toBe('7/');
	});

	it('lists the levels of a folder', () => {
		expect(levelsOf('a/b/c/')).toEqual(['a/', 'a/b/', 'a/b/c/']);
	});

	it('knows the marker of a folder', () => {
		expect(isMarker({ name: '', path: 'a/', type: 'FILE' }, 'a/')).toBe(true);
		expect(isMarker({ name: 'a', path: '/a', type: 'FOLDER' }, 'a/')).toBe(true);
		expect(isMarker({ name: '', path: 'a/b.csv', type: 'FILE' }, 'a/')).toBe(false);
		expect(isMarker({ name: '', path: 'a', type: 'FILE' }, 'a/')).toBe(false);
		expect(isMarker({ type: 'FILE' } as never, 'a/')).toBe(false);
		expect(isMarker({ name: 'a', path: 'a/', type: 'FOLDER' }, 'a/')).toBe(true);
		expect(isMarker({ name: 'b', path: 'a/b', type: 'FILE' }, 'a/')).toBe(false);
	});

	it.each(['a/b.py', '/a', 'a b/ü'])('takes %j for a file', (path) => {
		expect(rules.filePath(path)).toBeUndefined();
	});

	it.each(['a/', 'a//b', '..', 'a/../b', 's3://bucket/a', '\uD800'])('refuses %j', (path) => {
		expect(rules.filePath(path)).toMatch(/^(must|contains) /);
	});
});

it('my files are a storage of their own in each region', () => {
	expect(isMyFiles(myFilesId('aws-us-west-2'))).toBe(true);
	expect(myFilesId('aws-us-west-2')).toMatch(/.aws-us-west-2$/);
	expect(isMyFiles(`s-${myFilesId('')}`)).toBe(false);
});

it('folders are told from files by their type', () => {
	expect(isFolder({ name: 'a', path: 'a/', type: 'FOLDER' })).toBe(true);
	expect(isFolder({ name: 'a', path: 'a/', type: 'FILE' })).toBe(false);
});
