import { existsSync } from 'node:fs';
import path from 'node:path';

import { markedPart } from '../../../scripts/lib/markedPart';
import { REPOSITORY } from '../../../scripts/lib/paths';
import { guesses, isAsGuessed, renderGuesses } from '../../../scripts/live/guesses';
import { Mask } from '../../../scripts/live/mask';
import { Recorder, routeOf } from '../../../scripts/live/recorder';
import { read } from '../../support/repository';

describe('the list of assumptions', () => {
	it('is the one in the documentation (npm run live -- --write-docs writes it)', () => {
		expect(markedPart(read('docs/live-checks.md'), 'assumptions')).toBe(renderGuesses());
	});

	it('is linked by each page that says what is not checked', () => {
		for (const page of ['cost', 'files', 'running-tasks', 'sql', 'tasks']) {
			expect(read(`docs/${page}.md`)).toMatch(
				/ot yet checked against the live service[^]*\(live-checks\.md#/,
			);
		}
	});

	it('has a name for each that is used once', () => {
		const names = guesses.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
	});

	it.each(guesses)('says where to look, and nothing of what was not seen: $name', (guess) => {
		expect(existsSync(path.join(REPOSITORY, guess.code))).toBe(true);
		expect(guess.assumed).toMatch(/^[A-Z`][^]*\.$/);
		const recorder = new Recorder('https://service.invalid');
		recorder.stop();
		expect(isAsGuessed(guess, recorder)).toBeUndefined();
	});
});

describe('a guess', () => {
	const SPACES = '/catalogs/c/namespaces';
	const TABLES = `${SPACES}/n/tables`;
	const told = (name: string, path: string, body: unknown, status = 200) => {
		const recorder = new Recorder('https://service.invalid');
		recorder.stop();
		const url = new URL(`https://service.invalid${path}`);
		recorder.exchanges.push({
			...{ method: 'GET', route: routeOf('GET', path), url, status, headers: {} },
			...{ body: JSON.stringify(body), json: body },
		});
		return isAsGuessed(guesses.find((guess) => guess.name === name)!, recorder);
	};
	const FOLDER = '/storage/s/directories';
	const inFolder = (path: string) => ({
		items: ['x.csv', 'y/'].map((name) => ({ name: name.replace('/', ''), path: path + name })),
	});
	const none = { series_metrics: {}, instant_metrics: {} };
	const cost = { COST_USD: { metric: { data: { value: 1, timestamp: 1 } } } };
	const inSeries = { ...none, series_metrics: cost };
	const views = { tables: [{ name: 'v', table_type: 'VIEW' }] };
	const tables = { tables: [{ name: 't', table_type: 'TABLE' }] };
	const NOON = '2026-01-31T12:00:00Z';

	it.each([
		['metrics-groups', 'a run without any metrics', undefined, '/runs/r/metrics', none],
		['metrics-groups', 'a cost among the series', false, '/runs/r/metrics', inSeries],
		['times-zone', 'a time without one', false, '/runs/r', { createTime: '2026-01-31T09:00:00.5' }],
		['times-zone', 'a time of somebody', undefined, '/runs/r', { since: '2026-01-31T09:00:00' }],
		['entry-path', 'the folder', true, `${FOLDER}/%2Fa/`, { items: [{ name: '', path: 'a/' }] }],
		['entry-path', 'names as paths', false, `${FOLDER}/a/`, inFolder('')],
		['entry-path', 'whole addresses', false, `${FOLDER}/a/`, inFolder('s3://b/a/')],
		['nested-namespaces', 'none', undefined, SPACES, { namespaces: [{ name: 'a' }] }],
		['nested-namespaces', 'another sign', false, SPACES, { namespaces: [{ name: 'a\x1fb' }] }],
		['nested-namespaces', 'a list', false, SPACES, { namespaces: [{ name: ['a', 'b'] }] }],
		['table-update-time', 'a view without a time', undefined, TABLES, views],
		['table-update-time', 'a table without a time', false, TABLES, tables],
		['table-update-time', 'an entry of no type', false, TABLES, { tables: [{ updateTime: NOON }] }],
	] as const)('%s: of %s it says %s', (name, _, holds, path, body) => {
		expect(told(name, path, body)).toBe(holds);
	});

	it('error-body: a refusal without a request ID is otherwise', () => {
		expect(told('error-body', '/runs/r', { errors: [] }, 404)).toBe(false);
	});
});

describe('a mask', () => {
	const mask = new Mask(['key-1', 'host.example']);

	it('gives a name other words of the same form, and the same ones each time', () => {
		const masked = mask.json({
			name: 'Tokyo',
			status: 'COMPLETED',
			uri: 's3://Tokyo/list-9/x.csv',
		});
		const { name, status, uri } = masked as Record<string, string>;
		expect(status).toBe('COMPLETED');
		expect(name).toMatch(/^w\d+x$/);
		expect(uri).toMatch(new RegExp(`^s3://${name}/w\\d+x-9/w\\d+x\\.csv$`));
	});

	it('shows the name of a table that was made here, and may be left', () => {
		expect(mask.prose('the table n8n_live_check_mx1: zyzzy')).toMatch(
			/^the table n8n_live_check_mx1: w\d+x$/,
		);
	});
});
