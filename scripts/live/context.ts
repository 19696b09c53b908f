/** What checks work with: the client, records of the account that several of them need, and what was made. */
import { ok, recordOf, isOk, type Api, type Answer } from './api';
import { found, NotChecked } from './guess';
import type { JobTrial } from './spend/jobRun';
import type { SqlTrial } from './spend/session';
import { isRecord, recordsIn, type Json } from './shape';

/** How many runs are looked at for one that has what a check needs. */
const RUNS_TRIED = 8;

/** How many folders are listed at most. */
const FOLDERS_TRIED = 12;

export interface Folder {
	/** Of its storage. */
	id: string;
	/** Its path without slashes at the ends. */
	folder: string;
	/** Without its marker. */
	entries: Json[];
}

const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export class Live {
	job?: JobTrial;

	sql?: SqlTrial;

	constructor(readonly api: Api) {}

	/** The newest runs. */
	async runs(): Promise<Json[]> {
		const page = ok(await this.api.get('/runs', { query: { size: '100' } }));
		return recordsIn(page.json);
	}

	/** Runs that have ended, those first that ran for long enough to be measured. */
	async endedRuns(): Promise<Json[]> {
		const ended = (await this.runs()).filter(({ status }) => ENDED.includes(text(status)));
		const ran = ended.filter(({ status }) => status === 'COMPLETED' || status === 'FAILED');
		return found(ended.length > 0 ? [...ran, ...ended] : undefined, 'no job run has ended yet');
	}

	/** The response for the first run that ended and for which it is of use. */
	async firstUseful(path: string, isUseful: (answer: Answer) => boolean, query = {}) {
		for (const run of (await this.endedRuns()).slice(0, RUNS_TRIED)) {
			const answer = await this.api.get(path, { values: { id: text(run.id) }, query });
			if (isOk(answer) && isUseful(answer)) return { run, answer };
			if (!isOk(answer) && answer.status !== 404) ok(answer);
		}
		throw new NotChecked(`no recent job run has what is needed (${path})`);
	}

	/** The managed storage. */
	async managed(): Promise<Json> {
		const { json } = ok(await this.api.get('/storage'));
		return found(recordsIn(json).find(isManaged), 'the account has no managed storage');
	}

	/** The managed storage's default folder, without slashes at its ends. */
	async defaultFolder(): Promise<{ id: string; folder: string }> {
		const { id, defaultDirectory } = await this.managed();
		const folder = text(defaultDirectory).replace(/^\/+|\/+$/g, '');
		return { id: text(id), folder: found(folder || undefined, 'there is no default folder') };
	}

	/** What a folder of a storage contains; `path` as it is in the request. */
	async folder(id: string, path: string, query: Record<string, string> = {}): Promise<Answer> {
		const values = { id, path };
		return await this.api.get('/storage/{id}/directories/{path}', { values, query });
	}

	/**
	 * A folder below the caller's own or the organization's, with entries that are of use.
	 *
	 * @throws NotChecked when there is none among the first few
	 */
	async findFolder(isUseful: (entries: Json[]) => boolean, what: string): Promise<Folder> {
		const { id, folder } = await this.defaultFolder();
		const open = [folder, folder.replace(/[^/]+$/, 'shared')];
		for (const at of open) {
			const answer = await this.folder(id, encoded(`${at}/`));
			if (!isOk(answer)) continue;
			const entries = recordsIn(answer.json).filter(({ name }) => plainName(name) !== '');
			if (isUseful(entries)) return { id, folder: at, entries };
			const below = entries.filter(({ type }) => type === 'FOLDER');
			const paths = below.map(({ name }) => `${at}/${plainName(name)}`);
			open.push(...paths.slice(0, FOLDERS_TRIED - open.length));
		}
		throw new NotChecked(`no folder with ${what} was found`);
	}

	/** A table, in the first catalogs and namespaces that have one; `entry` is its entry in the list. */
	async table(isWanted: (detail: Answer, entry: Json) => boolean): Promise<Answer> {
		const catalogs = recordsIn(recordOf(await this.api.get('/catalogs')), 'catalogs');
		for (const { id } of catalogs.slice(0, 3)) {
			const catalog = { id: text(id) };
			const spaces = await this.api.get('/catalogs/{id}/namespaces', { values: catalog });
			for (const namespace of namesIn(spaces.json, 'namespaces').slice(0, 4)) {
				const values = { ...catalog, namespace };
				const path = '/catalogs/{id}/namespaces/{namespace}/tables';
				const tables = await this.api.get(path, { values });
				for (const entry of recordsIn(tables.json, 'tables').slice(0, 3)) {
					const table = { ...values, table: text(entry.name) };
					const detail = await this.api.get(`${path}/{table}`, { values: table });
					if (isOk(detail) && isWanted(detail, entry)) return detail;
				}
			}
		}
		throw new NotChecked('no table was found that shows it');
	}

	/** What the job run of `--spend` has shown. */
	get jobTrial(): JobTrial {
		return found(this.job, 'only with --spend');
	}

	get sqlTrial(): SqlTrial {
		return found(this.sql, 'only with --spend');
	}
}

/** Names in a list of texts or of records. */
function namesIn(value: unknown, member: string): string[] {
	const list = isRecord(value) ? value[member] : value;
	return (Array.isArray(list) ? list : [])
		.map((each) => text(isRecord(each) ? each.name : each))
		.filter(Boolean);
}

/** The storage of the organization; a user's own files may be listed, too. */
export const isManaged = ({ id, type }: Json) =>
	type === 'MANAGED' && !text(id).startsWith('user_files::');

export const plainName = (name: unknown) => text(name).replace(/^\/+|\/+$/g, '');

/** A path with each part encoded, and its slashes as they are. */
export const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/');
