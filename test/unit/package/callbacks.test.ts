/** The lines that docs/callbacks.md adds to a program, executed. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { execa } from 'execa';

import { itWithPython } from '../../support/python';
import { read } from '../../support/repository';

/** Without the pauses before another try. */
const LINES = /```python\n(.*?)```/s
	.exec(read('docs/callbacks.md'))![1]
	.replace('(0, 2, 10, 30, 60)', '(0, 0, 0)');

const withPython = itWithPython('run the lines of docs/callbacks.md');

let server: Server;
/** What arrived, and how it is answered, one by one; then as n8n does. */
let bodies: unknown[];
let answers: RequestListener[];

beforeEach(async () => {
	bodies = [];
	answers = [];
	server = createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on('data', (part: Buffer) => parts.push(part));
		request.on('end', () => {
			bodies.push(JSON.parse(Buffer.concat(parts).toString() || 'null'));
			const answer = answers.shift();
			if (answer) return answer(request, response);
			response.setHeader('Content-Type', 'application/json; charset=utf-8');
			response.end('{"message": "Workflow was started"}');
		});
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

afterEach(async () => {
	server.closeAllConnections();
	await new Promise((done) => server.close(done));
});

const run = async (main: string, args?: string[]) => {
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/call`;
	const program = `${main}\n${LINES}`;
	return await execa('python3', ['-c', program, ...(args ?? ['--callback-url', url])], {
		reject: false,
		env: { NO_PROXY: '*' },
	});
};

withPython('sends every result as valid JSON', async () => {
	const { exitCode } = await run(`
import datetime, decimal
def main():
    day = datetime.date(2026, 11, 26)
    return {"day": day, day: decimal.Decimal("1.50"), "mean": [float("nan"), 1.5, True, None], "ids": (2**60, {1})}
`);
	expect(exitCode).toBe(0);
	const result = {
		...{ day: '2026-11-26', '2026-11-26': '1.50', mean: [null, 1.5, true, null] },
		ids: [2 ** 60, [1]],
	};
	expect(bodies).toEqual([{ kind: 'result', result }]);
});

withPython('takes sys.exit(0) for an end, and any other for a failure', async () => {
	expect(await run('def main():\n    sys.exit(0)')).toMatchObject({ exitCode: 0 });
	expect(await run('def main():\n    sys.exit("no rows")')).toMatchObject({ exitCode: 1 });
	expect(bodies).toEqual([
		{ kind: 'result', result: null },
		{ kind: 'failed', traceback: expect.stringMatching(/SystemExit: no rows\n$/) },
	]);
});

withPython('fails before the work begins when there is no address', async () => {
	const { exitCode, stdout, stderr } = await run('def main():\n    print("worked")', []);
	expect(exitCode).toBe(1);
	expect(stderr).toMatch(/'--callback-url' is not in list/);
	expect(stdout).toBe('');
});

withPython('tries again after any failure, and says in the log what it was', async () => {
	answers = [
		(_, response) => response.writeHead(302, { Location: '/login' }).end(),
		(_, response) => response.setHeader('Content-Type', 'text/html').end('<h1>Log in</h1>'),
	];
	const { exitCode, stdout } = await run('def main():\n    return 7');
	expect(exitCode).toBe(0);
	expect(stdout.split('\n')).toEqual([
		'The result did not reach n8n: HTTP Error 302: Found',
		'The result did not reach n8n: a web page answered',
	]);
	expect(bodies).toEqual(Array.from({ length: 3 }, () => ({ kind: 'result', result: 7 })));
});
