import { type Bench, expectItems, workflowSide } from '../bench';
import {
	atLeast,
	atMost,
	type Chapter,
	inRounds,
	ratio,
	type Row,
	row,
	type Sample,
	spread,
} from '../measure';
import { floor, MEASURED, type Step, wherobots } from '../n8n/steps';
import type { DatabricksFunctions } from '../processes/databricks';
import { type Driver, startDriver } from '../processes/driver';
import { startRemote } from '../processes/remote';
import { selectRows, SQL_COLUMNS } from '../sqlRows';
import { whatIsMissing } from '../../test/vendor/environment';
import { flatMemory, size, speed } from './sizes';

const DATABRICKS = "n8n's own Databricks";

const rowsOf = (count: number) => `${count.toLocaleString('en')} rows`;

const select = (count: number, output = 'items') =>
	wherobots({ resource: 'sql', operation: 'executeQuery', query: selectRows(count), output });

function databricksSelect(count: number): Step {
	return {
		name: MEASURED,
		type: 'n8n-nodes-base.databricks',
		parameters: {
			resource: 'databricksSql',
			operation: 'executeQuery',
			warehouseId: { __rl: true, mode: 'id', value: 'bench' },
			query: selectRows(count),
		},
	};
}

/** Rows of SQL results, as items and as a file. */
export async function sql(bench: Bench): Promise<Chapter[]> {
	const { n8n, install, scale, service, target } = bench;
	const databricks = await startRemote<DatabricksFunctions>('databricks', install.node.bin);
	const missing = whatIsMissing('clients');
	if (missing) process.stdout.write(`Left out, the vendor's driver: ${missing}\n`);
	let driver: Driver | undefined;
	try {
		const host = await databricks.call.address();
		await n8n.addCredential('databricksApi', { host, token: 'bench' });
		const counts = new Set([scale.sqlRows, scale.sqlRowsBeside, scale.sqlRows / 100]);
		for (const count of counts) await databricks.call.prepare(count);
		const sent = new Map<number, Sent>();
		for (const count of counts) sent.set(count, await service.prepareRows(count));
		const of = (count: number) => sent.get(count) as Sent;
		// Its connection would time out while the stand-in makes the rows.
		if (!missing) driver = await startDriver(target);
		return [
			await besideDatabricks(bench),
			await besideDriver(bench, of(scale.sqlRows), driver),
			await asFile(bench, of),
		];
	} finally {
		await driver?.stop();
		await databricks.stop();
	}
}

/** What the stand-in says of the rows of a statement. */
type Sent = Awaited<ReturnType<Bench['service']['prepareRows']>>;

/** As many rows as that node returns. */
async function besideDatabricks(bench: Bench): Promise<Chapter> {
	const { n8n, scale } = bench;
	await n8n.restart();
	const count = scale.sqlRowsBeside;
	const whole = expectItems(count);
	const { ours, theirs } = await inRounds(
		{
			ours: await workflowSide(bench, 'Some rows', [select(count)], whole),
			theirs: await workflowSide(bench, 'Some rows: Databricks', [databricksSelect(count)], whole),
		},
		scale.rounds,
		2,
	);
	const all = await n8n.save('All rows: Databricks', [databricksSelect(scale.sqlRows)]);
	const { status, error } = await n8n.run(all, { mayFail: true });
	const outcome = status === 'success' ? 'succeeds' : `fails: ${error}`;
	return {
		title: `Read ${rowsOf(count)} of a SQL result as items`,
		how: `${SQL_COLUMNS.length} columns: 64-bit integers, doubles, texts, a timestamp, a point. Databricks' rows are as many of its own kind, all values as text; Databricks itself refuses results of more than 25 MiB in the form that its node asks for, the stand-in does not.`,
		rows: [
			row('this package', ours),
			row(DATABRICKS, theirs, `with ${rowsOf(scale.sqlRows)} it ${outcome}`),
		],
		checks: [atLeast(1, `× as fast as ${DATABRICKS}`, ratio(theirs, ours))],
	};
}

async function besideDriver(bench: Bench, sent: Sent, driver?: Driver): Promise<Chapter> {
	const { n8n, scale } = bench;
	const count = scale.sqlRows;
	const whole = expectItems(count);
	const reading = await workflowSide(bench, 'All rows', [select(count)], whole);
	const making = await workflowSide(
		bench,
		'The same items',
		[floor('sqlRows', [{ count }])],
		whole,
	);
	await n8n.restart();
	let frame: Sample[] = [];
	const { ours, objects } = await inRounds(
		{
			ours: reading,
			objects: async () => {
				if (!driver) return { ms: NaN };
				const outcome = await driver.execute(selectRows(count), count);
				frame.push(outcome.frame);
				return outcome.objects;
			},
		},
		scale.longRounds,
	);
	frame = frame.slice(-scale.longRounds);

	// Each in a fresh process: what stays resident of one would count for the next.
	const fresh = (side: () => Promise<Sample>) => async () => {
		await n8n.restart();
		return await side();
	};
	const { first, made } = await inRounds(
		{ first: fresh(reading), made: fresh(making) },
		scale.longRounds,
		0,
	);
	const beside = first.map(({ peak = NaN }, round) => peak - (made[round].peak ?? NaN));
	const rows: Row[] = [row('this package', ours)];
	if (driver) {
		rows.push(
			row("the vendor's driver for Python, rows as objects", objects),
			row("the vendor's driver for Python, a data frame", frame),
		);
	}
	rows.push(
		row('this package, first in a fresh n8n', first),
		row('the same items made without a request, first in a fresh n8n', made),
	);
	const skipped = driver ? '' : " Without the vendor's driver, which needs Python.";
	return {
		title: `Read ${rowsOf(count)} of a SQL result as items`,
		how: `As above: ${size(sent.bytes)} of Arrow, ${size(sent.gzip)} as it is sent to the package. The time of the package includes finding its session and connecting to it, the times of the driver (wherobots-python-dbapi) do not; it asks for brotli, the only compression that it knows, instead of gzip.${skipped}`,
		rows,
		checks: [
			...(driver
				? [atLeast(2, '× the rows per second of the driver, as objects', ratio(objects, ours))]
				: []),
			atMost(
				2,
				'× the Arrow as peak memory beside the items',
				spread(beside.map((bytes) => bytes / sent.bytes)),
			),
		],
	};
}

/** A CSV file of the same rows. */
async function asFile(bench: Bench, sent: (count: number) => Sent): Promise<Chapter> {
	const { n8n, scale } = bench;
	const { fileBytes } = sent(scale.sqlRows);
	const side = async (count: number) =>
		await workflowSide(bench, `File of ${count}`, [select(count, 'csv')], ({ nodes }) => {
			const bytes = nodes[MEASURED].first?.bytes;
			if (bytes !== sent(count).fileBytes) throw new Error(`The file has ${String(bytes)} bytes`);
		});
	// The small one first, in a fresh process: what stays resident counts for the large one.
	await n8n.restart();
	const [little, large] = [await side(scale.sqlRows / 100), await side(scale.sqlRows)];
	const small = await inRounds({ ours: little }, scale.longRounds, 2);
	const { ours } = await inRounds({ ours: large }, scale.longRounds, 0);
	return {
		title: `Read ${rowsOf(scale.sqlRows)} of a SQL result as a CSV file`,
		how: `${size(fileBytes)}, which the session has ready. The SHA-256 is taken.`,
		rows: [row('this package', ours, speed(fileBytes, ours))],
		checks: [flatMemory(fileBytes, small.ours, ours)],
	};
}
