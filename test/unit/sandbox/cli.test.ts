import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import axios from 'axios';

const CLI = join(__dirname, '../../sandbox/cli.ts');

it('starts from the command line, says where it is, and ends when told to', async () => {
	const child = spawn(
		process.execPath,
		['--import', 'tsx', CLI, '--seed', 'demo', '--speed', '9'],
		{
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	);
	try {
		const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
		const { baseUrl, credentials } = JSON.parse(line);
		const headers = { 'X-API-Key': credentials.admin.apiKey };
		expect((await axios.get(`${baseUrl}/runs`, { headers })).data.total).toBeGreaterThan(250);
		child.kill('SIGTERM');
		expect(await once(child, 'exit')).toEqual([0, null]);
	} finally {
		child.kill('SIGKILL');
	}
});
