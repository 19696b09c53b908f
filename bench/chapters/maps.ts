import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as breathe } from 'node:timers/promises';

import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'world-atlas/countries-10m.json';

import { MapMaker } from '../../nodes/Wherobots/map';
import { atMost, type Chapter, figure, inRounds, row, type Sample, spread } from '../measure';

const BLOCK = 65_536;
/** As many times as long as JSON.parse, which nothing can interrupt either, takes for the same file. */
const MAX_BLOCK = 1.5;
const MAX_MS = 1_000;
const ROUNDS = 5;

const topology = atlas as unknown as Topology<{ countries: GeometryCollection }>;

/** A polygon with a rough edge, of this many vertices. */
function polygon(vertices: number) {
	const ring = Array.from({ length: vertices }, (_, at) => {
		const angle = (2 * Math.PI * at) / vertices;
		const radius = 10 + 2 * Math.sin(37 * angle) + 0.01 * Math.sin(at);
		const degrees = [10 + radius * Math.cos(angle), 40 + radius * Math.sin(angle)];
		return degrees.map((each) => Number(each.toFixed(7)));
	});
	return { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
}

/** Draws it as an operation does, with pauses where n8n stores files. */
async function draw(file: Buffer, features: number, delay: IntervalHistogram): Promise<Sample> {
	async function* blocks() {
		for (let at = 0; at < file.length; at += BLOCK) {
			await breathe();
			yield file.subarray(at, at + BLOCK);
		}
	}
	const maker = new MapMaker(breathe);
	const begun = performance.now();
	for await (const block of maker.watch(blocks())) void block;
	await breathe();
	const { facts, png } = maker.draw({ title: 'Map', background: true });
	await breathe();
	await png();
	const ms = performance.now() - begun;
	// Whatever the last step held up is recorded with the next tick.
	await new Promise((resolve) => setTimeout(resolve, (2 * delay.min) / 1e6 + 20));
	if (facts.drawn === features) return { ms };
	throw new Error(`The map shows ${facts.drawn} of ${features} features`);
}

/** How long a map with more detail than a picture can show takes, and keeps n8n from other work. */
export async function maps(): Promise<Chapter[]> {
	const { features } = feature(topology, topology.objects.countries);
	const sides = {
		countries: [JSON.stringify({ type: 'FeatureCollection', features }), features.length],
		polygon: [JSON.stringify(polygon(500_000)), 1],
	} as const;
	const blocks: Record<keyof typeof sides, Array<Record<'longest' | 'parse', number>>> = {
		countries: [],
		polygon: [],
	};
	const side = (name: keyof typeof sides) => async () => {
		const [text, count] = sides[name];
		const file = Buffer.from(text);
		const begun = performance.now();
		JSON.parse(text);
		const parse = performance.now() - begun;
		const delay = monitorEventLoopDelay({ resolution: 1 });
		await breathe();
		delay.enable();
		const sample = await draw(file, count, delay);
		delay.disable();
		blocks[name].push({ longest: delay.max / 1e6, parse });
		return sample;
	};
	const samples = await inRounds(
		{ countries: side('countries'), polygon: side('polygon') },
		ROUNDS,
	);
	const counted = (name: keyof typeof sides) => blocks[name].slice(-ROUNDS);
	const note = (name: keyof typeof sides) => {
		const [longest, parse] = (['longest', 'parse'] as const).map((of) =>
			figure(spread(counted(name).map((block) => block[of])), 0),
		);
		return `longest block ${longest} ms, JSON.parse ${parse} ms`;
	};
	const ratios = (name: keyof typeof sides) =>
		spread(counted(name).map(({ longest, parse }) => longest / parse));
	const what = '× as long in one block as JSON.parse, for';
	return [
		{
			title: 'Draw a map',
			how: 'A GeoJSON file that arrives in blocks of 64 KiB, in a process of its own: time until the picture is there, and the longest time in which nothing else could run.',
			rows: [
				row(
					'255 countries (Natural Earth, 1:10m), 548,000 vertices',
					samples.countries,
					note('countries'),
				),
				row('one polygon of 500,000 vertices', samples.polygon, note('polygon')),
			],
			checks: [
				atMost(MAX_BLOCK, `${what} countries`, ratios('countries')),
				atMost(MAX_BLOCK, `${what} one polygon`, ratios('polygon')),
				atMost(MAX_MS, 'ms for one polygon', spread(samples.polygon.map(({ ms }) => ms)), 0),
			],
		},
	];
}
