import { type Bench, expectItems, workflowSide } from '../bench';
import { atLeast, atMost, type Chapter, inRounds, row, type Sample, spread } from '../measure';
import { floor, MEASURED, type Step, wherobots } from '../n8n/steps';
import type { PostgresFunctions } from '../processes/postgres';
import { startRemote } from '../processes/remote';
import { SQL_COLUMNS } from '../sqlRows';
import { size } from './sizes';

/**
 * What a statement of 500 rows took on Spark 3.5 with Iceberg, and one that reads 100,000 rows of a file,
 * one after the other on one machine.
 */
const STATEMENT_SECONDS = 1.25;
const FILE_SECONDS = 3.9;

/** Rows of so many bytes are 500 in a statement. */
const BATCH = { rows: 500, bytes: 500_000 };

const items = (given: { count: number; bytes?: number }): Step => ({
	...floor('sqlRows', [given]),
	name: 'Items',
});

const TABLE = 'bench_rows';

function postgresInsert(): Step {
	return {
		name: MEASURED,
		type: 'n8n-nodes-base.postgres',
		typeVersion: 2.6,
		parameters: {
			resource: 'database',
			operation: 'insert',
			schema: { __rl: true, mode: 'name', value: 'public' },
			table: { __rl: true, mode: 'name', value: TABLE },
			columns: { mappingMode: 'autoMapInputData', value: null },
			options: {},
		},
	};
}

/** What n8n's own Postgres node takes for the same items, into the database of the demo. */
async function insertIntoPostgres(bench: Bench, count: number): Promise<Sample[]> {
	const { n8n, install, scale } = bench;
	const postgres = await startRemote<PostgresFunctions>('postgres', install.node.bin);
	try {
		await n8n.addCredential('postgres', await postgres.call.prepare(TABLE));
		const insert = await workflowSide(
			bench,
			'Insert into Postgres',
			[items({ count }), postgresInsert()],
			expectItems(count),
		);
		const theirs = async () => {
			await postgres.call.prepare(TABLE);
			return await insert();
		};
		return (await inRounds({ theirs }, scale.longRounds)).theirs;
	} finally {
		await postgres.stop();
	}
}

/** Items as rows of a table: in one statement, and as statements of 500 rows one after the other. */
export async function insertRows(bench: Bench): Promise<Chapter[]> {
	const { n8n, scale, service } = bench;
	const { insertedRows: count, batchedRows } = scale;
	const table = await service.prepareInserts(STATEMENT_SECONDS, FILE_SECONDS);
	const insert = (options = {}) =>
		wherobots({ resource: 'table', operation: 'insertRows', ...table, options });
	const batch = { count: batchedRows, bytes: BATCH.bytes / BATCH.rows };
	await n8n.restart();
	const { ours, batches } = await inRounds(
		{
			ours: await workflowSide(bench, 'Insert', [items({ count }), insert()], expectItems(count)),
			batches: await workflowSide(
				bench,
				'Insert in batches',
				[items(batch), insert({ sendRowsAs: 'statements' })],
				expectItems(batchedRows),
			),
		},
		scale.longRounds,
	);
	const postgres = await insertIntoPostgres(bench, count);
	const all: Sample[] = batches.map(({ ms }) => ({ ms: ms * (count / batchedRows) }));

	// Each in a fresh process: what stays resident of one would count for the next.
	const fresh = async (name: string, steps: Step[]) => {
		const side = await workflowSide(bench, name, steps);
		return async () => {
			await n8n.restart();
			return await side();
		};
	};
	const many = items({ count: scale.sqlRows });
	const { first, made } = await inRounds(
		{
			first: await fresh('Insert many', [many, insert()]),
			made: await fresh('The same items', [many, floor('pass')]),
		},
		scale.longRounds,
		0,
	);
	const { bytes } = await service.lastUpload();
	const beside = first.map(({ peak = NaN }, round) => peak - (made[round].peak ?? NaN));
	const rows = `${count.toLocaleString('en')} items`;
	return [
		{
			title: `Insert ${rows} of ${SQL_COLUMNS.length} columns into a table`,
			how: `The stand-in takes as long for a statement as Spark 3.5 with Iceberg: ${STATEMENT_SECONDS} s for ${BATCH.rows} rows, ${FILE_SECONDS} s for a file of 100,000. Batches are measured with ${batchedRows.toLocaleString('en')} items. Memory is that of ${scale.sqlRows.toLocaleString('en')} items, ${size(bytes)} as a file.`,
			rows: [
				row('this package, one statement', ours),
				row(`statements of ${BATCH.rows} rows`, all, 'one after the other'),
				row("n8n's own Postgres, into PostgreSQL in memory", postgres),
				row('this package, first in a fresh n8n', first),
				row('the same items, only passed on, in a fresh n8n', made),
			],
			checks: [
				atLeast(
					20,
					'× as fast as statements of 500 rows',
					spread(ours.map(({ ms }, round) => all[round].ms / ms)),
				),
				atMost(
					2,
					'× the file as peak memory beside the items',
					spread(beside.map((peak) => peak / bytes)),
				),
			],
		},
	];
}
