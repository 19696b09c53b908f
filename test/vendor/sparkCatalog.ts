/** What Spark answers to the statements with which dbt looks around and builds, over a catalog in memory. */
import type { SqlAnswer, SqlService } from '../sandbox';

interface Relation {
	kind: 'table' | 'view';
	isTemporary: boolean;
	columns: Array<[name: string, type: string]>;
}

const NOTHING: SqlAnswer = {};

/** `SHOW TABLES` and `SHOW VIEWS` have three columns each, also when they list nothing. */
const LISTED = ['namespace', 'tableName', 'isTemporary'];

export class SparkCatalog {
	private readonly schemas = new Set(['default']);

	private readonly relations = new Map<string, Relation>();

	/** Has a sandbox answer from this catalog. */
	answerFor(sql: SqlService): void {
		sql.answer(/./s, (statement) => this.answer(statement));
	}

	private answer(statement: string): SqlAnswer {
		const text = statement
			.replace(/\/\*.*?\*\//gs, '')
			.replace(/\s+/g, ' ')
			.trim();
		const names = [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
		// A name has three parts but for that of a temporary view.
		const isTemporary = /^create or replace temporary view/.test(text);
		const [name, source] = isTemporary ? [names[0], names[3]] : [names[2] ?? names[0], names[5]];
		if (text === 'select 1 as id') return { rows: [{ id: 1 }] };
		if (/^show schemas in /.test(text)) {
			return { rows: [...this.schemas].map((namespace) => ({ namespace })) };
		}
		if (/^show (tables|views) in /.test(text)) {
			return this.listed(text.startsWith('show views') ? 'view' : 'table', names[1]);
		}
		if (/^describe table /.test(text)) return this.described(name);
		if (/^create schema if not exists /.test(text)) {
			this.schemas.add(names[1]);
			return NOTHING;
		}
		const created = /^create (?:or replace )?(?:temporary )?(table|view) /.exec(text)?.[1];
		if (created) {
			const kind = created === 'view' ? 'view' : 'table';
			const columns = this.selected(text, source) ?? columnsOf(text);
			this.relations.set(name, { kind, isTemporary, columns });
			return NOTHING;
		}
		if (/^drop (table|view) if exists /.test(text)) {
			this.relations.delete(name);
			return NOTHING;
		}
		if (/^(insert into|merge into|truncate table) /.test(text) && this.relations.has(name))
			return NOTHING;
		return { error: `[PARSE_SYNTAX_ERROR] Syntax error at or near '${text}'. SQLSTATE: 42601` };
	}

	/** The columns of `select id, name from …`. */
	private selected(text: string, source: string): Relation['columns'] | undefined {
		const wanted = /select (.*?) from/.exec(text)?.[1].split(', ');
		return this.relations.get(source)?.columns.filter(([name]) => wanted?.includes(name));
	}

	private listed(kind: Relation['kind'], schema: string): SqlAnswer {
		const rows = [...this.relations].filter(([, relation]) => relation.kind === kind);
		return {
			columns: LISTED,
			rows: rows.map(([name, { isTemporary }]) => [isTemporary ? '' : schema, name, isTemporary]),
		};
	}

	private described(name: string): SqlAnswer {
		const found = this.relations.get(name);
		if (!found)
			return { error: `[TABLE_OR_VIEW_NOT_FOUND] The table or view \`${name}\` cannot be found.` };
		return {
			rows: found.columns.map(([col_name, data_type]) => ({ col_name, data_type, comment: null })),
		};
	}
}

/** The columns in parentheses: `(id bigint, name string)`. */
function columnsOf(text: string): Relation['columns'] {
	const [, list = ''] = /\((.*)\)$/.exec(text) ?? [];
	return list.split(',').map((column) => {
		const [name, type] = column.trim().split(' ');
		return [name.replaceAll('`', ''), type];
	});
}
