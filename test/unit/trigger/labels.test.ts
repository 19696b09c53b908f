import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { WherobotsTrigger } from '../../../nodes/Wherobots/WherobotsTrigger.node';

/** Labels of n8n itself: a setting of every polling trigger, a node and a button. */
const OF_N8N = ['Poll Times', 'Remove Duplicates', 'Fetch Test Event'];

function labelsOf(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const { displayName } = value as { displayName?: unknown };
	const below = Object.values(value).flatMap(labelsOf);
	return typeof displayName === 'string' ? [displayName, ...below] : below;
}

test('the page about the trigger calls settings what the node calls them', () => {
	const page = readFileSync(join(__dirname, '../../../docs/trigger.md'), 'utf8');
	const plain = page.replace(/\*\*/g, '');
	const named = [...plain.matchAll(/(?<!\w)\*([A-Z][^*\n]+)\*/g)].map(([, label]) => label);
	const labels = [...OF_N8N, ...labelsOf(new WherobotsTrigger().description)];
	expect(named.length).toBeGreaterThan(4);
	expect(named.filter((label) => !labels.includes(label))).toEqual([]);
});
