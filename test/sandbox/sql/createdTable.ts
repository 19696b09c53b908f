/** What a CREATE TABLE statement makes: a table of the catalog, and one of the database. */
import type { FieldDraft } from '../model/catalogs';
import { unquoted } from './dialect';

export interface CreatedTable {
	/** Its catalog, its namespace and its name. */
	path: string[];
	mayExist: boolean;
	/** As the details of a table have them; none where they are those of the query. */
	fields: FieldDraft[];
	/** The query whose rows the table begins with. */
	query?: string;
}

const STATEMENT =
	/^\s*create\s+table\s+(if\s+not\s+exists\s+)?((?:`(?:[^`]|``)+`|\w+)(?:\.(?:`(?:[^`]|``)+`|\w+))*)\s*(\(|as\s)/i;

const NAMES: Record<string, string> = {
	...{ bigint: 'long', integer: 'int', smallint: 'int', tinyint: 'int', real: 'float' },
	...{ timestamp: 'timestamptz', timestamp_ntz: 'timestamp' },
};

/** Undefined for other statements. */
export function createdTable(statement: string): CreatedTable | undefined {
	const [head, condition, name, next] = STATEMENT.exec(statement) ?? [];
	if (head === undefined) return undefined;
	const parts = name.match(/`(?:[^`]|``)+`|\w+/g) ?? [];
	const table = { path: parts.map((part) => unquoted(part)), mayExist: condition !== undefined };
	const rest = statement.slice(head.length);
	if (next !== '(') return { ...table, fields: [], query: rest };
	const columns = splitAtCommas(rest);
	return {
		...table,
		fields: columns.map((column) => {
			const [, own, type, required] =
				/^\s*(`(?:[^`]|``)*`|\w+)\s+(.*?)(\s+not\s+null)?\s*$/is.exec(column) ?? [];
			return {
				name: unquoted(own),
				type: typeOf(type),
				...(required !== undefined && { required: true }),
			};
		}),
	};
}

/** What is between commas that are in no brackets, up to a bracket that closes more than are open. */
function splitAtCommas(text: string): string[] {
	const parts = [''];
	let depth = 0;
	for (const token of text.match(/`(?:[^`]|``)*`|[^`]/gs) ?? []) {
		if (token === '(' || token === '<') depth++;
		if (token === ')' || token === '>') depth--;
		if (depth < 0) break;
		if (token === ',' && depth === 0) parts.push('');
		else parts[parts.length - 1] += token;
	}
	return parts;
}

function typeOf(text: string): FieldDraft['type'] {
	const [, outer, inner = ''] = /^\s*(array|map|struct)\s*<(.*)>\s*$/is.exec(text) ?? [];
	if (outer === undefined) {
		const plain = text.trim().toLowerCase();
		return NAMES[plain] ?? plain.replace(/^(?:var)?char\(\d+\)$/, 'string');
	}
	const parts = splitAtCommas(inner);
	switch (outer.toLowerCase()) {
		case 'array':
			return {
				type: 'list',
				'element-id': 1,
				element: typeOf(parts[0]),
				'element-required': false,
			};
		case 'map':
			return { type: 'map', key: typeOf(parts[0]), value: typeOf(parts[1]) };
		default:
			return {
				type: 'struct',
				fields: parts.map((part) => {
					const [, name, type] = /^\s*(`(?:[^`]|``)*`|\w+)\s*:?\s*(.*)$/s.exec(part) ?? [];
					return { name: unquoted(name), type: typeOf(type) };
				}),
			};
	}
}

/** Types as the details of a table have them, by what PostgreSQL calls them; others have one name. */
const NATIVE: Record<string, string> = {
	...{ bigint: 'long', integer: 'int', smallint: 'int', text: 'string', bytea: 'binary' },
	...{ 'double precision': 'double', real: 'float' },
	'timestamp with time zone': 'timestamptz',
	'timestamp without time zone': 'timestamp',
};

/** The type in PostgreSQL; nested values are kept as JSON. */
export function columnTypeOf({ type }: FieldDraft): string {
	if (typeof type !== 'string') return 'jsonb';
	if (type.startsWith('geometry')) return 'geometry';
	return Object.keys(NATIVE).find((native) => NATIVE[native] === type) ?? type;
}

/** The type of a column of PostgreSQL, as the details of a table have it. */
export const typeOfColumn = (native: string): string => NATIVE[native] ?? native;
