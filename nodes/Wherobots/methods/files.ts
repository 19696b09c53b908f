import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { checkPath } from '../service/rules';
import {
	DEFAULT_FOLDER,
	isFolder,
	toMyFilesId,
	getParent,
	type FileEntry,
	type Storage,
} from '../service/files';
import { isRecord } from '../service/records';
import type { Client } from '../transport/client';
import { settle } from '../transport/failure';
import { toText } from '../transport/text';
import { browse, fetchRoot } from '../useCases/files/files';
import { fetchList } from '../transport/records';
import {
	type Choice,
	toChoices,
	readChosen,
	type ListSearch,
	filterChoices,
	type Option,
	createPickerClient,
} from './choices';

/** The field for the storage. */
const STORAGE = { name: 'storageId', displayName: 'Storage' };

/** The storages of the organization, and the caller's own files where they are enabled. */
export const searchStorages: ListSearch = async function (filter) {
	const client = await createPickerClient(this);
	const storages = await fetchList<Storage>(client, 'listStorages');
	const choices = toChoices(
		storages.map((storage) => ({
			id: storage.id,
			name: storage.name,
			description: describe(storage),
		})),
	);
	const own = await fetchMyFiles(client);
	const isListed = own && choices.some(({ value }) => value === own.value);
	return filterChoices(own && !isListed ? [...choices, own] : choices, filter);
};

function describe({ type, path, readOnly }: Storage): string {
	const kind =
		type === 'MANAGED' ? 'Managed' : type === 'INTEGRATION' ? 'Integration' : toText(type);
	return [kind, toText(path), readOnly === true && 'read-only'].filter(Boolean).join(' · ');
}

/** The caller's own files in the organization's default region; undefined where there are none. */
async function fetchMyFiles(client: Client): Promise<Choice | undefined> {
	const organization = await settle(client.call<IDataObject>('getOrganization'));
	const region =
		organization.ok && isRecord(organization.value) && organization.value.defaultRegion;
	if (typeof region !== 'string' || region === '') return undefined;
	const value = toMyFilesId(region);
	const root = await settle(fetchRoot(client, value));
	return root.ok ? { name: `My Files (${region})`, value, description: 'Your own' } : undefined;
}

/** The folders of the chosen storage; typed text up to its last slash is the folder to look in. */
export const searchFolders: ListSearch = async function (filter, paginationToken) {
	const found = await search(this, isFolder, filter, paginationToken);
	if (!isFirst(filter, paginationToken)) return found;
	const client = await createPickerClient(this);
	const root = await settle(fetchRoot(client, readChosen(this, STORAGE)));
	const isProtected = root.ok && isRecord(root.value) && root.value.upload_protected;
	const listed = toChoices([toFolderOption('/', isProtected)]);
	return { ...found, results: [...listed, ...found.results] };
};

/** A folder in the list, which says whether nothing can be uploaded to it. */
function toFolderOption(path: string, isProtected: unknown): Option {
	return { id: path, detail: isProtected === true ? 'read-only' : undefined };
}

/** The folders of a storage for an upload, with the storage's own place for it. */
export const searchUploadFolders: ListSearch = async function (filter, paginationToken) {
	const found = await searchFolders.call(this, filter, paginationToken);
	const own = {
		name: 'Default Folder',
		value: DEFAULT_FOLDER,
		description: 'Scripts/ in the default directory of the storage',
	};
	return isFirst(filter, paginationToken) ? { ...found, results: [own, ...found.results] } : found;
};

/** Whether this is the beginning of the whole list. */
function isFirst(filter = '', paginationToken?: string): boolean {
	return paginationToken === undefined && filter.trim() === '';
}

/** The files of the chosen storage, found in the same way. */
export const searchFiles: ListSearch = async function (filter, paginationToken) {
	return await search(this, (entry) => !isFolder(entry), filter, paginationToken);
};

async function search(
	context: ILoadOptionsFunctions,
	wanted: (entry: FileEntry) => boolean,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const storageId = readChosen(context, STORAGE);
	const typed = filter.trim().replace(/^\/+/, '');
	const path = getParent(`${typed}x`);
	// A folder whose path is invalid, such as one that begins with s3://, has no entries.
	if (checkPath(path) !== undefined) return { results: [] };
	const client = await createPickerClient(context);
	const isMatch = (entry: FileEntry) => entry.path.toLowerCase().includes(typed.toLowerCase());
	const { entries, token } = await browse(
		client,
		{ storageId, path },
		paginationToken,
		(entry) => wanted(entry) && isMatch(entry),
	);
	const results = toChoices(
		entries.map((entry) => toFolderOption(entry.path, isFolder(entry) && entry.protected)),
	);
	return { results, paginationToken: token };
}
