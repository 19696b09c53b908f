/**
 * What follows from the operations, and `npm run schemas` writes: the files from which n8n's editor
 * knows the fields of an output before the first run, and the table of operations in the README.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { REPOSITORY } from '../../../scripts/lib/paths';
import { withOperations } from '../../support/operationTable';
import { schemaOf, SCHEMAS } from '../../support/outputSchema';
import { suiteWithSandbox } from '../harness/suite';
import { cases } from './cases';

const suite = suiteWithSandbox({ seed: 'demo' });

const README = path.join(REPOSITORY, 'README.md');

/** Set to write the files instead of comparing them. */
const isWriting = process.env.N8N_NODES_WHEROBOTS_WRITE_SCHEMAS === 'true';

/** The fields of their output are those of the user's own query or request. */
const WITHOUT = ['api request', 'sql executeQuery', 'table getRows'];

const described = Object.keys(cases).filter((key) => !WITHOUT.includes(key));

it.each(described)('%s', async (key) => {
	const [resource, operation] = key.split(' ');
	const file = path.join(SCHEMAS, resource, `${operation}.json`);
	const { json } = await suite.succeeds({
		resource,
		operation,
		...cases[key].good(suite.sandbox),
		...(operation === 'getAll' ? { returnAll: true } : {}),
	});
	const schema = { ...schemaOf(json), version: 1 };
	// n8n would offer a field that is always null.
	expect(JSON.stringify(schema)).not.toContain('"null"');
	if (isWriting) {
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, `${JSON.stringify(schema, null, '\t')}\n`);
	}
	expect(existsSync(file)).toBe(true);
	expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(schema);
});

it('the README names every operation, and no other', async () => {
	const readme = readFileSync(README, 'utf8');
	if (isWriting) await writeFile(README, withOperations(readme));
	expect(readFileSync(README, 'utf8')).toBe(withOperations(readme));
});

it('there is none for an operation that is gone', () => {
	const files = readdirSync(SCHEMAS, { recursive: true, encoding: 'utf8' });
	const stored = files
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.replace('.json', '').replace(path.sep, ' '));
	expect(stored.sort()).toEqual([...described].sort());
});
