/** SQL: Execute Query, which may write its result to a folder in a storage; sessions. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { defineChoiceField, definePicker, defineSwitchField } from '../../form/declarations';
import { runRegionFilter } from '../../form/fields';
import { toItems } from '../../form/output';
import { type FileEntry, isFolder, type Place, toFolder } from '../../service/files';
import { FILE_OPTIONS, simplifySession, type SqlSession } from '../../service/sql/protocol';
import { toSubquery } from '../../service/sql/statements';
import { quote, toQuoted } from '../../service/tables/names';
import { runInParallel, READS_AT_ONCE } from '../../transport/concurrency';
import { addContext, explainReading, Failure, hasStatus, settle } from '../../transport/failure';
import { joinLines } from '../../transport/text';
import { fetchFolder, findEntry } from '../../useCases/files/files';
import { fetchLink } from '../../useCases/files/storage';
import { adviseOnFile, isPathMissing } from '../../useCases/sql/problems';
import { readLocation, sessionStorageField } from '../files/fields';
import {
	addHintOnce,
	type Call,
	defineDelete,
	defineGetMany,
	type Operation,
	type Resource,
} from '../operations/operation';
import * as execution from './execution';
import * as form from './fields';
import { advice, queryParametersField, readQuery, readSettings, readStatement } from './query';

const targetField = definePicker('searchFolders', 'Path', {
	displayName: 'Folder for Files',
	name: 'targetFolder',
	// Not required by n8n: it would ask for it in other operations where their output is an expression.
	exact: true,
	description: 'An empty folder, or one that does not exist yet',
	placeholder: 'e.g. data/shared/exports/2026-01-31',
	hint: 'A path in the storage, or the S3 path of a folder that does not exist yet',
});

const formatField = defineChoiceField({
	displayName: 'File Format',
	name: 'storedFormat',
	options: {
		csv: ['CSV', 'Geometries need ST_AsText in the query'],
		geojson: ['GeoJSON', 'The query must return a geometry column'],
		geoparquet: ['GeoParquet', 'The query must return a geometry column'],
		parquet: ['Parquet', 'Only for results without geometries'],
	},
	default: 'geoparquet',
	description: 'Format of the files. For results without geometries, choose CSV or Parquet.',
});

const NO_GEOMETRY = `Select a geometry column, or set '${formatField.displayName}' to CSV or Parquet.`;

const oneFileField = defineSwitchField({
	displayName: 'One File',
	name: 'oneFile',
	default: true,
	description:
		'Whether to write a single file. Large results are faster to write as several files.',
});

const storedFields: INodeProperties[] = [
	...[{ ...sessionStorageField }, targetField, formatField, oneFileField],
].map((field) => ({ ...field, displayOptions: { show: { output: ['storage'] } } }));

const executeQuery: Operation = {
	name: 'Execute Query',
	value: 'executeQuery',
	action: 'Execute SQL query for rows or maps',
	description: 'Execute a Spark SQL statement and return its rows as items or as a file',
	hint: "Spark SQL with Sedona's ST_ functions. Keep Read Only on unless the statement is meant to change data. Pass values from items as Query Parameters (:name), never by an expression inside the statement. A session costs money until it has been idle for a while.",
	fields: [
		form.queryField,
		form.exampleNotice,
		queryParametersField,
		form.readOnlyField,
		form.readOnlyToolField,
		form.queryOutputField,
		form.drawMapField,
		form.mapOptionsField,
		...storedFields,
		form.geometryField,
		...form.sessionFields,
		form.optionsField,
	],
	requestFields: {
		runtimeId: form.sessionRuntimeField,
		shutdownAfterInactiveSeconds: form.unusedTimeoutOption,
	},
	kind: 'write',
	async execute(call) {
		const { context, input } = call;
		if (input.choice(form.queryOutputField) === 'storage') return { submit: prepareFiles(call) };
		const query = readQuery(input, context.getTimezone());
		return { submit: async () => await execution.runOnce(call, query) };
	},
};

/** `INSERT OVERWRITE DIRECTORY` would empty the folder: it is looked into before. */
function prepareFiles(call: Call) {
	const { context, input, memory } = call;
	if (input.isToolUse) {
		const what = "must not be 'Files in Storage' when an AI agent uses the node";
		throw input.problem(form.queryOutputField, what);
	}
	const query = toSubquery(readStatement(input, context.getTimezone()).text);
	if (query === undefined) {
		throw input.problem(
			form.queryField,
			"must begin with SELECT, WITH, FROM, TABLE or VALUES and only read, because 'Output' is 'Files in Storage'",
			'What SHOW, DESCRIBE and similar statements return cannot be written to files.',
		);
	}
	const settings = readSettings(input);
	const location = readLocation(call, targetField, false);
	const folder = toFolder(location.path);
	if (folder === '') throw input.problem(targetField, 'must be a folder, not the root');
	const hasLinks = input.within(form.optionsField).flag(form.includeLinksOption);
	if (hasLinks && location.storageId === undefined) {
		throw input.problem(
			form.includeLinksOption,
			'needs a folder in a storage: files at an S3 path have no links',
			`Nothing was written. Choose '${sessionStorageField.displayName}', and enter the path of a folder in it.`,
		);
	}
	const format = input.choice(formatField);
	const { options = {} } = format === 'geoparquet' ? {} : FILE_OPTIONS[format];
	const list = Object.entries(options).map(([name, value]) => `${name} ${toQuoted(value)}`);
	const using = `${format}${list.length > 0 ? ` OPTIONS (${list.join(', ')})` : ''}`;
	const hint = input.flag(oneFileField) ? '/*+ COALESCE(1) */ ' : '';
	return async () => {
		const uri = toFolder(await location.fetchAddress());
		const ask = execution.createAsk(call, settings, advice);
		const target = { ...location, folder, uri, ask, hasLinks };
		const text = `INSERT OVERWRITE DIRECTORY ${toQuoted(uri)} USING ${using} SELECT ${hint}* FROM (${query}\n)`;
		const write = async () => {
			await checkEmpty(call, target);
			if (format !== 'geojson') await checkGeometries(call, ask, query);
			const sending = execution.executeWritten(call, settings, { text, advice });
			const { done } = await explainReading(sending, ({ facts: { cause } }) => ({
				after: joinLines(adviseOnFile(format, NO_GEOMETRY, String(cause)), `The folder is ${uri}`),
				facts: { destination: uri },
			}));
			return done;
		};
		const work = memory.item<IDataObject>('files');
		const isDone = execution.isPossiblyDone(false);
		// One that was cancelled may have written some of them.
		const mayBeDone = (failure: Failure) => isDone(failure) || failure.facts.state === 'cancelled';
		const done = await work.once(write, mayBeDone);
		const before = `The files were written to ${uri}.`;
		const files = await explainReading(listFiles(call, target), { before, facts: done });
		return toItems(files.map((file) => ({ ...file, ...done })));
	};
}

/**
 * Parquet, and CSV on Spark 4, would get the bytes in which Sedona keeps geometries.
 *
 * @throws Failure where the format needs a geometry and there is none, or the other way round
 */
async function checkGeometries({ input }: Call, ask: execution.Ask, query: string): Promise<void> {
	const format = input.choice(formatField);
	const columns = await execution.fetchColumns(ask, `QUERY ${query}`);
	const found = columns.find(({ type }) => /^geo(metry|graphy)\b/i.test(type));
	if (Boolean(found) === (format === 'geoparquet')) return;
	if (!found) {
		const what = 'cannot be GeoParquet, because the query returns no geometry';
		throw input.problem(formatField, what, `Nothing was written. ${NO_GEOMETRY}`);
	}
	const name = quote(found.name);
	throw input.problem(
		formatField,
		`cannot be ${format === 'csv' ? 'CSV' : 'Parquet'}, because ${name} is a geometry`,
		`Nothing was written. In the query, use ST_AsText(${name}), or choose GeoJSON or GeoParquet.`,
	);
}

interface Target {
	storageId?: string;
	folder: string;
	uri: string;
	ask: execution.Ask;
	hasLinks: boolean;
}

/** The files in a folder; Spark leaves out its own, such as `_SUCCESS`, and so is done for a storage. */
async function listFiles(
	call: Call,
	{ storageId, folder, uri, ask, hasLinks }: Target,
): Promise<IDataObject[]> {
	if (storageId === undefined) {
		const columns = 'path AS destination, length AS size, modificationTime AS lastModified';
		return await ask(`SELECT ${columns} FROM binaryFile.${quote(uri)}`);
	}
	const isFile = (entry: FileEntry) => !isFolder(entry) && !/^[_.]/.test(entry.name);
	const entries = await fetchFolder(call.client, { storageId, path: folder }, Infinity, isFile);
	return await runInParallel(entries.length, READS_AT_ONCE, async (index) => {
		const entry = entries[index];
		const link = hasLinks && (await findLink(call, { storageId, path: entry.path }));
		return { storageId, ...entry, destination: uri + entry.name, ...link };
	});
}

/** What File: Get Link returns; undefined where it fails, because the files are written. */
async function findLink(call: Call, place: Place) {
	const link = await settle(fetchLink(call.client, place));
	if (link.ok) return link.value;
	if (!(link.error instanceof Failure)) throw link.error;
	const message = `${place.path} has no link: ${link.error.message}.`;
	addHintOnce(call, 'no link', { message, type: 'warning' });
	return undefined;
}

/** In S3, where a session shows no hidden files, nothing may be there at all. @throws Failure otherwise */
async function checkEmpty(call: Call, target: Target): Promise<void> {
	const { storageId, folder, uri } = target;
	if (storageId !== undefined) {
		const path = folder.replace(/\/$/, '');
		const file = await findEntry(call.client, 'file', { storageId, path });
		if (file) throw call.input.problem(targetField, 'must be a folder, but a file has this path');
	}
	const found = await settle<unknown[]>(
		storageId === undefined
			? listFiles(call, target)
			: fetchFolder(call.client, { storageId, path: folder }, 1),
	);
	if (!found.ok) {
		if (hasStatus(found.error, 404) || isPathMissing(found.error)) return;
		throw addContext(found.error, { before: `The folder ${uri} could not be checked.` });
	}
	if (storageId !== undefined && found.value.length === 0) return;
	throw call.input.problem(
		targetField,
		`must be ${storageId === undefined ? 'one that does not exist' : 'empty'}, because what is in ${uri} would be deleted`,
		'Nothing was written. Choose another folder, for example one with the date in its name.',
	);
}

const deleteSession = defineDelete({
	action: 'Delete SQL session',
	description: 'Shut down a session, so that it stops costing money',
	endpoint: 'deleteSqlSession',
	picker: {
		hint: 'Statements that it is executing, including those of others, are stopped. This cannot be undone.',
	},
});

const getAll = defineGetMany<SqlSession>({
	action: 'Get many SQL sessions',
	description: "List the SQL sessions of the credential's owner",
	endpoint: 'listSqlSessions',
	records: 'SQL sessions',
	filters: {
		region: { ...runRegionFilter, description: 'Only include sessions in this compute region' },
	},
	simplify: simplifySession,
});

export const sql: Resource = {
	name: 'SQL',
	value: 'sql',
	description: 'Spatial SQL over the catalogs of the organization',
	operations: [executeQuery],
	defaultOperation: executeQuery,
};

export const sqlSession: Resource = {
	name: 'SQL Session',
	value: 'sqlSession',
	description: 'Sessions that execute SQL and cost money until they shut down',
	operations: [deleteSession, getAll],
};
