import {
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodePropertyCollection,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { properties } from '../../../nodes/Wherobots/actions';
import { properties as triggerProperties } from '../../../nodes/Wherobots/trigger/poll';
import manifest from '../../../package.json';
import { headingsOf } from '../../support/headings';
import { read, recipes as all } from '../../support/repository';

const recipes = all.map((recipe) => ({
	...recipe,
	notes: recipe.nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote'),
}));

/** On the canvas; a node has its name below it. */
const areaOf = ({ position: [left, top], parameters, type }: INode) => {
	const isNote = type === 'n8n-nodes-base.stickyNote';
	const [width, height] = isNote ? [parameters.width, parameters.height] : [96, 140];
	return { left, top, right: left + Number(width), bottom: top + Number(height), isNote };
};

type Area = ReturnType<typeof areaOf>;

const isApart = (a: Area, b: Area) =>
	a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
const isFrameOf = (a: Area, b: Area) =>
	a.left <= b.left && a.top <= b.top && a.right >= b.right && a.bottom >= b.bottom;

it.each(recipes)('the notes of $file cover no node that they are not around', ({ nodes }) => {
	const areas = nodes.map((node) => ({ ...areaOf(node), name: node.name }));
	const covered = areas
		.filter(({ isNote }) => isNote)
		.flatMap((note) =>
			areas.filter((node) => !node.isNote && !isApart(note, node) && !isFrameOf(note, node)),
		);
	expect(covered.map(({ name }) => name)).toEqual([]);
	expect(areas.some(({ isNote }) => isNote)).toBe(true);
});

/** About how many pixels high the editor shows a text in a note; to some twenty. */
function estimateHeight(content: string, width: number): number {
	const heights = content
		.replace(/\[(.+?)\]\(.+?\)/g, '$1')
		.replace(/\*\*|[*`]/g, '')
		.split('\n')
		.map((line) => {
			const [height, ofCharacter] = line.startsWith('## ') ? [32, 10.4] : [19.5, 6.5];
			return line === '' ? 8 : height * Math.ceil((ofCharacter * line.length) / (width - 28));
		});
	return 20 + heights.reduce((sum, height) => sum + height, 0);
}

it.each(recipes)('the notes of $file are as high as their texts', ({ notes }) => {
	for (const { parameters } of notes) {
		const { content, width, height } = parameters;
		const blank = Number(height) - estimateHeight(String(content), Number(width));
		expect(blank).toBeGreaterThan(10);
		expect(blank).toBeLessThan(65);
	}
});

it.each(recipes)('no connection of $file runs behind a node', ({ nodes, connections }) => {
	const places = new Map(nodes.map(({ name, position }) => [name, position]));
	const hidden = Object.entries(connections).flatMap(([from, { main = [] }]) =>
		main
			.flatMap((ends) => (ends ?? []).map(({ node }) => node))
			.flatMap((to) => {
				const [[left, top], [right, bottom]] = [places.get(from)!, places.get(to)!];
				return nodes.filter(({ position: [x, y], type }) => {
					const line = top + ((bottom - top) * (x - left)) / (right - left);
					const isBetween = left < x && x < right && type !== 'n8n-nodes-base.stickyNote';
					return isBetween && Math.abs(line - y) < 80;
				});
			}),
	);
	expect(hidden.map(({ name }) => name)).toEqual([]);
});

it.each(recipes)(
	'$file keeps what is said in a chat, and calls no recipe by its file',
	(recipe) => {
		expect(recipe.text.includes('chatTrigger')).toBe(recipe.text.includes('"ai_memory"'));
		for (const { parameters } of recipe.nodes) {
			expect(parameters.content ?? '').not.toMatch(/\w\.json/);
		}
	},
);

it('each recipe has a title of its own, which its first note begins with', () => {
	const titles = recipes.map(({ name }) => name);
	expect(new Set(titles).size).toBe(titles.length);
	const headings = recipes.map(
		({ notes: [first] }) => /^## (.*)\n/.exec(String(first.parameters.content))?.[1],
	);
	expect(headings).toEqual(titles);
});

/** Whoever starts these, or talks to them, sees them fail. */
const IN_SIGHT = /"type": "(n8n-nodes-base\.(manual|error)|@n8n\/\S+\.chat)Trigger"/;

it.each(recipes)('$file says who hears when it fails, and fixes no region', ({ text }) => {
	expect(/\*Email when a workflow fails\* as \*\*Error/.test(text)).toBe(!IN_SIGHT.test(text));
	expect(text).not.toMatch(/aws-\w+-\w+-\d/);
});

it('a recipe that needs settings begins with them: n8n imports none by hand', () => {
	const needing = recipes.filter(({ settings = {} }) =>
		Object.keys(settings).some((name) => name !== 'executionOrder'),
	);
	expect(needing).not.toEqual([]);
	for (const { text } of needing) expect(text).toContain('\\n\\n1. Open **… → Settings**');
});

/** Where the pages are, for those who have imported a recipe. */
const DOCS = `${manifest.repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/docs/`;

/** Its title, the steps, what happens, and the page with more. */
const SHAPE = /^## .+\n\n1\. .+(\n\d\. .+)*\n\n([\w*].+\n\n){1,2}More: \[.+\]\(\S+\)$/;

it.each(recipes)('the notes of $file have one shape, and links to what exists', ({ notes }) => {
	const texts = notes.map(({ parameters }) => String(parameters.content));
	expect(texts[0]).toMatch(SHAPE);
	expect(texts.join()).not.toMatch(/docs\/[\w-]+\.md(?![\w#-]*\))/);
	for (const [, start, text, target] of texts.join('\n').matchAll(/(\w+: )?\[(.+?)\]\((.+?)\)/g)) {
		expect(target.startsWith(DOCS)).toBe(true);
		const [page, anchor] = target.slice(DOCS.length).split('#');
		const headings = headingsOf(read(`docs/${page}`));
		const [title] = headings.values();
		const heading = anchor === undefined ? title : headings.get(anchor);
		expect(heading).toBeDefined();
		if (start === 'More: ') expect(text).toBe(heading);
	}
});

/** The mails that go to people who may have no login. */
const WITHOUT_LINKS = ['customer-onboarding.json', 'agent-asks-before-large-job.json'];

const LINK =
	"{{ $execution.resumeUrl.split('/').slice(0, -2).join('/') }}/workflow/{{ $workflow.id }}/executions/{{ $execution.id }}";
/** To another execution than its own. */
const LINKS: Record<string, string> = { 'alert-on-failed-workflow.json': '$json.execution.url' };

const ABOUT_A_RUN = [
	...['agent-explains-long-run.json', 'alert-on-failed-run.json', 'failed-run-second-try.json'],
	...['handle-ended-run.json', 'notebook-every-morning.json', 'run-exceeds-duration.json'],
];

it.each(recipes)(
	'the mails of $file lead to their execution, and to the Spark UI of a run',
	(recipe) => {
		const { file, nodes } = recipe;
		const isMail = ({ type, parameters }: INode) =>
			type === 'n8n-nodes-base.emailSend' && parameters.operation === 'send';
		if (!nodes.some(isMail) || WITHOUT_LINKS.includes(file)) return;
		const written = JSON.stringify(nodes.filter(({ type }) => type === 'n8n-nodes-base.set'));
		for (const { parameters } of nodes.filter(isMail)) {
			const body = String(parameters.text ?? parameters.html);
			const text = body === '={{ $json.text }}' ? written : body;
			expect(text).toContain(LINKS[file] ?? LINK);
			if (ABOUT_A_RUN.includes(file)) expect(text).toContain("sparkUiUrl ? 'Spark UI: '");
		}
	},
);

const FORMS: Record<string, INodeProperties[]> = {
	'n8n-nodes-wherobots.wherobots': properties,
	'n8n-nodes-wherobots.wherobotsTool': properties,
	'n8n-nodes-wherobots.wherobotsTrigger': triggerProperties,
};

/** The fields that n8n itself adds to triggers that poll, and to tools. */
const OF_N8N = ['pollTimes', 'descriptionType', 'toolDescription'];

/** The members of the values of a field that it does not have, so that nothing reads them. */
function findStray(field: INodeProperties, value: unknown): string[] {
	const isOfMembers = /^(fixedC|c)ollection$/.test(field.type);
	if (Array.isArray(value)) return value.flatMap((each) => findStray(field, each));
	if (!isOfMembers || typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => {
		const member = field.options?.find((each) => each.name === name);
		if (!member) return [`${field.name}.${name}`];
		const { values } = member as INodePropertyCollection;
		if (!values) return findStray(member as INodeProperties, inner);
		return findStray({ ...field, type: 'collection', options: values }, inner);
	});
}

it.each(recipes)('the nodes of $file have only fields that their forms show', ({ nodes }) => {
	const stray = nodes.flatMap((node) => {
		const form = FORMS[node.type];
		if (!form) return [];
		const type = { name: node.type } as INodeTypeDescription;
		const all = NodeHelpers.getNodeParameters(form, node.parameters, true, false, node, type);
		return Object.entries(node.parameters).flatMap(([name, value]) => {
			const field = form.find(
				(each) => each.name === name && NodeHelpers.displayParameter(all!, each, node, type),
			);
			if (field) return findStray(field, value);
			return OF_N8N.includes(name) ? [] : [`${node.name}: ${name}`];
		});
	});
	expect(stray).toEqual([]);
});
