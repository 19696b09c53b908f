/** What messages and docs call fields, choices and operations is what the forms call them. */
import { WherobotsApi } from '../../../credentials/WherobotsApi.credentials';
import { resources } from '../../../nodes/Wherobots/actions';
import { Wherobots } from '../../../nodes/Wherobots/Wherobots.node';
import { WherobotsTrigger } from '../../../nodes/Wherobots/WherobotsTrigger.node';
import { read } from '../../support/repository';
import { shippedTexts } from '../../support/shippedSources';

/** Labels of n8n itself: settings of nodes, workflows and instances, a node, buttons. */
const OF_N8N = [
	...['Poll Times', 'Remove Duplicates', 'Fetch Test Event', 'Custom API Call', 'Credential Type'],
	...['Save …', 'Do not save', 'Default'],
];
/** What else stands in quotes: words of the service, of SQL and of expressions. */
const NO_LABELS = [
	...['My Files', 'EPSG:3857', 'EPSG:4326', 'FAILFAST', 'List'],
	...['NULL', 'MAP<STRING, STRING>', 'POINT (', 'E', 'Infinity'],
	'ARRAY<STRING>',
	// Of n8n's own mapper.
	'Columns to match on',
];

/** The labels of all fields below, and of their choices. */
function labelsOf(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const { displayName, cachedResultName, name } = value as Record<string, unknown>;
	const label = displayName ?? cachedResultName ?? ('value' in value ? name : undefined);
	const below = Object.values(value).flatMap(labelsOf);
	return typeof label === 'string' ? [label, ...below] : below;
}

const ofCredential = labelsOf(new WherobotsApi().properties);
const ofTrigger = labelsOf(new WherobotsTrigger().description);
const all = [...labelsOf(new Wherobots().description), ...ofTrigger, ...ofCredential];

/** The resources of each file and folder of `actions`. */
const modules = [
	...read('nodes/Wherobots/actions/index.ts').matchAll(/^import \{ (.+) \} from '\.\/(\w+)/gm),
];

function resourcesOf(at: string) {
	const [, module] = /actions\/(\w+)/.exec(at) ?? [];
	const own = modules
		.filter(([, , from]) => from === module)
		.flatMap(([, names]) => names.split(', '));
	return resources.filter(({ value }) => own.includes(value));
}

/** The labels that a source may name: those of its resources, or of any where it belongs to none. */
function allowedIn(at: string): string[] {
	// They are handed what forms say.
	if (/Wherobots\/(useCases|transport|service|trigger\/core)\//.test(at)) return ofCredential;
	if (at.includes('Wherobots/trigger/')) return [...ofTrigger, ...OF_N8N];
	const own = resourcesOf(at);
	return own.length > 0 ? labelsOf(own) : [...all, ...OF_N8N];
}

let texts: Awaited<ReturnType<typeof shippedTexts>>;

beforeAll(async () => {
	texts = await shippedTexts();
}, 300_000);

test('every label in a message is one of its form', () => {
	const quoted = texts.flatMap(({ at, text }) =>
		[...text.matchAll(/(?<!\w)'([A-Z][^']*)'(?!\w)/g)].map(([, label]) => ({ at, label })),
	);
	expect(quoted.length).toBeGreaterThan(50);
	const isThere = ({ at, label }: { at: string; label: string }) =>
		[...allowedIn(at), ...NO_LABELS].includes(label);
	expect(quoted.filter((each) => !isThere(each))).toEqual([]);
});

test('every operation in a message is there', () => {
	const names = resources.map(({ name }) => name);
	const mention = new RegExp(`\\b(${names.sort().reverse().join('|')}): ([A-Z][\\w ]*)`, 'g');
	const mentions = texts.flatMap(({ at, text }) =>
		[...text.matchAll(mention)].map(([, resource, what]) => ({ at, resource, what })),
	);
	const isThere = (resource: string, what: string) =>
		resources
			.find(({ name }) => name === resource)
			?.operations.some(({ name }) => new RegExp(`^${name}\\b`).test(what));
	expect(mentions.length).toBeGreaterThan(20);
	expect(mentions.filter(({ resource, what }) => !isThere(resource, what))).toEqual([]);
});

test('the page about the trigger calls settings what the node calls them', () => {
	const plain = read('docs/trigger.md').replace(/\*\*/g, '');
	const named = [...plain.matchAll(/(?<!\w)\*([A-Z][^*\n]+)\*/g)].map(([, label]) => label);
	expect(named.length).toBeGreaterThan(4);
	expect(named.filter((label) => ![...OF_N8N, ...ofTrigger].includes(label))).toEqual([]);
});
