/** Tables of the catalogs that statements create. */
import type { Model } from '../server/environment';
import type { CreatedTable } from '../sql/createdTable';

/** A statement that creates a table adds it to its catalog. Returns the error when that is impossible. */
export function createIn({ store: { catalogs } }: Pick<Model, 'store'>, created: CreatedTable) {
	const { path, mayExist, fields } = created;
	const [name, namespace, table] = path;
	const catalog = catalogs.all().find((each) => each.name === name);
	const known = catalog?.namespaces.get(namespace);
	const quoted = path.map((part) => `\`${part}\``).join('.');
	if (!catalog || !known)
		return `[SCHEMA_NOT_FOUND] The schema ${quoted} cannot be found. SQLSTATE: 42704`;
	if (!known.entries.has(table)) catalogs.addTable(catalog, namespace, { name: table, fields });
	else if (!mayExist)
		return `[TABLE_OR_VIEW_ALREADY_EXISTS] Cannot create table or view ${quoted} because it already exists. SQLSTATE: 42P07`;
	return undefined;
}
