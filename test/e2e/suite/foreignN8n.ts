/** An n8n that the suite does not install: one that is running already, or a container image. */
import { env, getgid, getuid } from 'node:process';

import { execa } from 'execa';
import getPort from 'get-port';

import { makeFolder } from '../../support/folder';
import { until } from '../../support/until';
import { N8nApi } from '../n8n/api';
import type { Account } from '../n8n/apiTypes';
import { n8nEnvironment } from '../n8n/environment';
import { OWNER } from '../n8n/home';
import { isReady } from '../n8n/n8nProcess';
import { installCommunityPackage } from '../n8n/server';
import { packedPackage } from '../../../scripts/lib/packedPackage';
import type { SharedN8n } from './sharedN8n';

const START_TIMEOUT_MS = 600_000;

/**
 * The n8n that the environment asks for:
 *
 * - `N8N_NODES_WHEROBOTS_E2E_URL`, `…_EMAIL`, `…_PASSWORD`: one that is running, with this package
 *   installed, and its owner's login. It has to reach the loopback interface of this machine.
 * - `N8N_NODES_WHEROBOTS_E2E_IMAGE`: an image, started by `N8N_NODES_WHEROBOTS_CONTAINER` (docker or
 *   podman; default docker) with the packed package in it.
 *
 * @param logFile for n8n's output, where it is started here
 */
export async function foreignN8n(logFile: string): Promise<SharedN8n | undefined> {
	const url = env.N8N_NODES_WHEROBOTS_E2E_URL;
	const image = env.N8N_NODES_WHEROBOTS_E2E_IMAGE;
	if (url) return await running(url, loginOf(env));
	return image ? await startImage(image, logFile) : undefined;
}

function loginOf(given: NodeJS.ProcessEnv): Account {
	const email = given.N8N_NODES_WHEROBOTS_E2E_EMAIL;
	const password = given.N8N_NODES_WHEROBOTS_E2E_PASSWORD;
	if (email && password) return { email, password };
	throw new Error('Set N8N_NODES_WHEROBOTS_E2E_EMAIL and N8N_NODES_WHEROBOTS_E2E_PASSWORD');
}

async function running(url: string, login: Account): Promise<SharedN8n> {
	const api = await N8nApi.signIn(url, login);
	await api.useNewApiKey();
	return { url, api, stop: async () => undefined };
}

async function startImage(image: string, logFile: string): Promise<SharedN8n> {
	const tool = env.N8N_NODES_WHEROBOTS_CONTAINER ?? 'docker';
	const { folder: userFolder, remove } = await makeFolder('n8n-image');
	await installCommunityPackage((await packedPackage()).tarball, userFolder);
	const host = '127.0.0.1';
	const place = { userFolder, port: await getPort({ host }), brokerPort: await getPort({ host }) };
	// Its PATH is its own.
	const settings = { ...n8nEnvironment('', place), PATH: undefined };
	const name = `n8n-${process.pid}`;
	const container = execa(
		tool,
		[
			...['run', '--rm', '--name', name, '--init'],
			// The stand-in for the service listens on the loopback interface, and so does n8n.
			...['--network', 'host', '--user', `${getuid?.()}:${getgid?.()}`],
			...['--volume', `${userFolder}:${userFolder}`],
			...Object.entries(settings).flatMap(([key, value]) =>
				value === undefined ? [] : ['--env', `${key}=${value}`],
			),
			...[image, 'start'],
		],
		{ stdin: 'ignore', all: true, reject: false },
	);
	let ended = false;
	void container.pipeAll?.(logFile).then(() => (ended = true));
	const stop = async () => {
		await execa(tool, ['stop', name], { reject: false });
		await container;
		await remove();
	};
	try {
		const url = `http://${host}:${place.port}`;
		const patient = { timeoutMs: START_TIMEOUT_MS, everyMs: 500 };
		await until(async () => ended || (await isReady(url, 'start')), patient);
		if (ended) throw new Error(`${image} does not start: see ${logFile}`);
		const api = await N8nApi.setUpOwner(url, OWNER);
		await api.useNewApiKey();
		return { url, api, userFolder, logFile, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
