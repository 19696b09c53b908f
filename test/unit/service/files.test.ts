import {
	asFolder,
	entryIn,
	isFolder,
	isMyFiles,
	myFilesId,
	nameOf,
	parentOf,
} from '../../../nodes/Wherobots/service/files';

describe('paths', () => {
	it.each([
		['a/b/', 'a/', 'b'],
		['data/jobs/', 'data/', 'jobs'],
	])('of %j has parent %j and name %j', (path, parent, name) => {
		expect([parentOf(path), nameOf(path)]).toEqual([parent, name]);
	});

	it.each([
		['/', ''],
		['//a/b//', 'a/b/'],
	])('%j is the folder %j', (text, folder) => {
		expect(asFolder(text)).toBe(folder);
	});

	it.each([
		[{ name: '/b//', path: null, type: 'FOLDER' }, 'a/b/'],
		[{ name: 7, path: {}, type: 'FILE' }, 'a/7'],
		[{ path: 'a', type: 'FILE' }, 'a/a'],
	])('of an entry of a folder, %j, is that of the folder and its name', (listed, path) => {
		expect(entryIn('a/', listed as never)).toMatchObject({ path, name: nameOf(path) });
	});

	it.each([
		{ name: '', path: 'prefix/a', type: 'FOLDER' },
		{ name: '//', path: 'anything/', type: 'FILE' },
	])('is none of the marker of a folder: %j', (listed) => {
		expect(entryIn('a/', listed)).toBeUndefined();
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
