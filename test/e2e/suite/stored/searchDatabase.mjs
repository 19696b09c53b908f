/**
 * Prints where a SQLite database holds any of some texts: `node searchDatabase.mjs FILE`, with the
 * texts as a JSON list on its standard input. Needs a Node with SQLite in it.
 */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const texts = JSON.parse(readFileSync(0, 'utf8'));
const database = new DatabaseSync(process.argv[2], { readOnly: true });
const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
let rows = 0;
for (const { name } of tables) {
	for (const row of database.prepare(`SELECT * FROM "${name}"`).iterate()) {
		rows++;
		for (const [column, value] of Object.entries(row)) {
			const content = value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
			for (const text of texts) {
				if (content.includes(text)) console.log(JSON.stringify({ table: name, column, text }));
			}
		}
	}
}
database.close();
console.error(`${rows} rows of ${tables.length} tables`);
