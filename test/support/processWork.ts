import { once } from 'node:events';

/** The whole of a program that `together` of `processes.ts` runs. It loads nothing else of the tests. */
export async function work<Order, Report>(
	carryOut: (order: Order) => Promise<Report>,
): Promise<void> {
	process.stdout.write('ready\n');
	await once(process.stdin, 'data');
	process.stdin.destroy();
	const report = await carryOut(JSON.parse(process.argv[2]) as Order);
	process.stdout.write(`${JSON.stringify(report)}\n`);
}
