/** What the demo suggests to execute, and what `npm run live` does. */
import type { Model } from '../server/environment';
import type { SqlService } from '../sql';
import { createdTable, type CreatedTable } from '../sql/createdTable';
import { createIn } from './createIn';
import demo from './demo.json';
import { Choices } from './random';

const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });

/**
 * Hail along the paths of the storms, from where they began to where they went in degrees of longitude
 * and latitude, largest in the middle of each; sizes are in millimeters.
 */
export function hailOfStorms() {
	const choices = new Choices(7);
	const off = (degrees: number) => (choices.next() + choices.next() - 1) * degrees;
	return demo.storms.flatMap(({ state, from, to }) =>
		Array.from({ length: choices.between(25, 60) }, () => {
			const along = choices.next();
			const [x, y] = from.map((start, axis) => start + along * (to[axis] - start) + off(0.35));
			const size = 20 + Math.round(12 * along * (1 - along) * choices.between(4, 16));
			return { state, size, geometry: point(Number(x.toFixed(4)), Number(y.toFixed(4))) };
		}),
	);
}

/** The statements that the demo suggests at its start. */
export const SQL_EXAMPLES = [
	'SELECT name, population FROM demo.cities WHERE population > 1000000',
	'SELECT name, size, geometry FROM org_catalog.noaa.hail WHERE size > 50',
	'SELECT state, COUNT(*) AS events, MAX(size) AS largest FROM org_catalog.noaa.hail GROUP BY state',
];

/** What `npm run live` sends. */
export function seedLiveCheck(sql: SqlService, model: Pick<Model, 'store'>): void {
	for (const [statement, answer] of Object.entries(demo.liveAnswers)) sql.answer(statement, answer);
	const checked = /`n8n_live_check_\w+`/;
	sql.answer(new RegExp(`^CREATE TABLE .*${checked.source}`), (statement) => ({
		changes: () => void createIn(model, createdTable(statement) as CreatedTable),
	}));
	sql.answer(new RegExp(`^DROP TABLE .*${checked.source}`), (statement) => ({
		changes() {
			const [name = ''] = checked.exec(statement) ?? [];
			for (const { namespaces } of model.store.catalogs.all()) {
				for (const { entries } of namespaces.values()) entries.delete(name.replaceAll('`', ''));
			}
		},
	}));
	sql.answer('SELECT explode(sequence(1, 1500)) AS number', {
		rows: Array.from({ length: 1_500 }, (_, at) => ({ number: at + 1 })),
	});
	sql.answer('SELECT count(*) AS number FROM range(1000000000000)', {
		rows: [{ number: 1_000_000_000_000n }],
		seconds: 3_600,
	});
}
