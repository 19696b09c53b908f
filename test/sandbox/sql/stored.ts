/** Files of the storages, as statements name them: by their S3 addresses. */
import { bytesOf, type StorageRecord, type StorageStore } from '../model/storages';
import type { Environment } from '../server/environment';
import { settle, type SqlAnswer, tableOf } from './answers';
import { fileOf } from './files';

/** The storage that has an address, and the path in it. */
function findStored(
	storages: StorageStore,
	address: string,
): { storage: StorageRecord; path: string } | undefined {
	const storage = storages.all().find(({ draft }) => address.startsWith(`${draft.path}/`));
	return storage && { storage, path: address.slice(storage.draft.path.length + 1) };
}

const DIRECTORY =
	/^INSERT OVERWRITE DIRECTORY (['"])(.*?)\1 USING (\w+) (?:OPTIONS \((.*?)\) )?SELECT (\/\*\+ COALESCE\(1\) \*\/ )?\* FROM \((.*)\n\)$/s;

/**
 * What a statement does that writes the rows of a query to a folder, which it empties; undefined for any
 * other statement.
 */
export function answerDirectory(
	env: Environment,
	statement: string,
	answerTo: (query: string) => SqlAnswer,
): SqlAnswer | undefined {
	const [, , address, format, list = '', , query] = DIRECTORY.exec(statement) ?? [];
	if (address === undefined) return undefined;
	const options = Object.fromEntries(
		[...list.matchAll(/(\w+) (['"])(.*?)\2/g)].map(([, name, , value]) => [name, value]),
	) as Record<string, string>;
	const later = async (): Promise<SqlAnswer> => {
		const answer = await settle(answerTo(query));
		if (answer.error !== undefined) return answer;
		const made = fileOf(answer, format.replace('geoparquet', 'parquet'), options, env.variants);
		if ('error' in made) return made;
		const found = findStored(env.store.storages, address);
		if (!found) return { error: `AccessDenied: ${address}` };
		const { storage, path } = found;
		const extension = { geojson: 'json', csv: 'csv' }[format] ?? 'snappy.parquet';
		const changes = () => {
			for (const file of storage.files.keys())
				if (file.startsWith(path)) storage.files.delete(file);
			const part = `part-00000-${env.sql.nextUse()}-c000.${extension}`;
			env.store.storages.put(storage.id, `${path}_SUCCESS`, '');
			env.store.storages.put(storage.id, path + part, made.content);
		};
		return { changes };
	};
	return { later };
}

/** What is said of the columns that a query returns; undefined for any other statement. */
export function answerDescribed(
	statement: string,
	answerTo: (query: string) => SqlAnswer,
): SqlAnswer | undefined {
	const [, query] = /^DESCRIBE QUERY (.*)$/s.exec(statement) ?? [];
	if (query === undefined) return undefined;
	const later = async (): Promise<SqlAnswer> => {
		const answer = await settle(answerTo(query));
		if (answer.error !== undefined) return { error: answer.error };
		const { columns, geometryColumns } = tableOf(answer);
		const typeOf = (name: string) => (geometryColumns.includes(name) ? 'geometry' : 'string');
		const described = columns.map((name) => ({ col_name: name, data_type: typeOf(name) }));
		return { columns: ['col_name', 'data_type'], rows: described };
	};
	return { later };
}

/** The bytes of a file by its S3 address; undefined where there is none. */
export function readStored(storages: StorageStore, address: string): Buffer | undefined {
	const found = findStored(storages, address);
	const file = found?.storage.files.get(found.path);
	return file && Buffer.concat([...bytesOf(file)]);
}

/** The files at an address: one, a folder with a slash at its end, or a pattern with asterisks. */
export function findFiles(storages: StorageStore, address: string): Map<string, Buffer> {
	const escaped = address.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
	const pattern = new RegExp(`^${escaped}${address.endsWith('/') ? '[^/]*' : ''}$`);
	const found = storages.all().flatMap(({ draft, files }) =>
		[...files].flatMap(([path, file]): Array<[string, Buffer]> => {
			const own = `${draft.path}/${path}`;
			// Spark leaves out its own, such as `_SUCCESS`.
			const isHidden = /\/[_.][^/]*$/.test(own) && own !== address;
			return pattern.test(own) && !isHidden ? [[own, Buffer.concat([...bytesOf(file)])]] : [];
		}),
	);
	return new Map(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}
