import { readFeature } from '../../../nodes/Wherobots/map/features';
import { feature, positions } from './drawn';

const kindsOf = (value: unknown) => {
	const read = readFeature(value);
	return typeof read === 'string' ? read : read.parts.map(({ kind }) => kind);
};

it.each([
	['Point', '[7, 50, 120]', ['point']],
	['Point', '[360, -90]', ['point']],
	['MultiPoint', '[[-360, 90], [7, 50]]', ['point', 'point']],
	['LineString', '[[7, 50], [8, 50]]', ['line']],
	['MultiLineString', '[[[7, 50], [8, 50]], []]', ['line']],
	['Polygon', '[[[7, 50], [8, 50], [8, 51]]]', ['polygon']],
	['MultiPolygon', '[[[[7, 50], [8, 50], [8, 51]]], []]', ['polygon']],
])('%s %s has parts that can be drawn', (type, coordinates, kinds) => {
	expect(kindsOf(feature(type, JSON.parse(coordinates)))).toEqual(kinds);
});

it.each([
	['Point', '[361, 50]'],
	['Point', '[7, -91]'],
	['Point', '[7, "50"]'],
	['Point', '{"0": 7, "1": 50}'],
	['LineString', '[[7, 50], [8, 91]]'],
	['LineString', '[{"0": 7, "1": 50}]'],
	['MultiPoint', '[[7, 50], [361, 50]]'],
	['LineString', '[]'],
	['Polygon', '[]'],
	['Polygon', 'null'],
	['Curve', '[[[7, 50]]]'],
])('%s %s cannot be drawn', (type, coordinates) => {
	expect(readFeature(feature(type, JSON.parse(coordinates)))).toEqual(expect.any(String));
});

it('has the parts of all its geometries', () => {
	const { geometry: point } = feature('Point', [7, 50]);
	const { geometry: line } = feature('LineString', positions('7 50, 8 50'));
	const nested = { type: 'GeometryCollection', geometries: [line, point] };
	const geometry = { type: 'GeometryCollection', geometries: [point, nested] };
	expect(kindsOf({ type: 'Feature', geometry, properties: null })).toEqual([
		'point',
		'line',
		'point',
	]);
});
