import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { markedPart } from '../../../scripts/lib/markedPart';
import { REPOSITORY } from '../../../scripts/lib/paths';
import { guesses, isAsGuessed, renderGuesses } from '../../../scripts/live/guesses';
import { Mask } from '../../../scripts/live/mask';
import { Recorder } from '../../../scripts/live/recorder';

const read = (file: string) => readFileSync(path.join(REPOSITORY, file), 'utf8');

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

	it('hides in a sentence what a response has said before, and what is no word of ours', () => {
		const said = mask.prose('The table in Tokyo failed for me@zzyzx.example with key-1');
		expect(said).toMatch(/^The table in w\d+x failed for /);
		expect(said).not.toMatch(/Tokyo|zzyzx|key-1/);
	});
});
