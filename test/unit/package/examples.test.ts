import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { INode, IWorkflowBase } from 'n8n-workflow';

import { REPOSITORY } from '../../../scripts/lib/paths';

const FOLDER = path.join(REPOSITORY, 'examples');
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

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

it.each(files)('the notes of %s cover no node that they are not around', (file) => {
	const { nodes } = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as IWorkflowBase;
	const areas = nodes.map((node) => ({ ...areaOf(node), name: node.name }));
	const covered = areas
		.filter(({ isNote }) => isNote)
		.flatMap((note) =>
			areas.filter((node) => !node.isNote && !isApart(note, node) && !isFrameOf(note, node)),
		);
	expect(covered.map(({ name }) => name)).toEqual([]);
	expect(areas.some(({ isNote }) => isNote)).toBe(true);
});

it('each recipe has a title of its own, which its first note begins with', () => {
	const recipes = files.map(
		(file) => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as IWorkflowBase,
	);
	const titles = recipes.map(({ name }) => name);
	expect(new Set(titles).size).toBe(titles.length);
	const headings = recipes.map(({ nodes }) => {
		const note = nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote');
		return /^## (.*)\n/.exec(String(note?.parameters.content))?.[1];
	});
	expect(headings).toEqual(titles);
});
