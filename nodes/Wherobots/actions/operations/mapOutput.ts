import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { MapMaker, type MapOptions } from '../../map';
import { switchField, textField } from '../../parameters/declarations';
import type { Input } from '../../parameters/input';
import { settle } from '../../transport/failure';
import { addHint } from './hint';

const drawMapOption = switchField({
	displayName: 'Draw Map',
	name: 'drawMap',
	description:
		'Whether to draw the features of the GeoJSON file as well: as a picture (PNG) in the output field map, as SVG in mapSvg and as a web page in mapPage',
});

const mapColumnOption = textField({
	displayName: 'Map Column',
	name: 'mapColumn',
	placeholder: 'e.g. size',
	description:
		'The column whose values color the features. Numbers are grouped into five classes; the seven most frequent texts each have their own color. Codes with leading zeros are texts.',
});

const mapTitleOption = textField({
	displayName: 'Map Title',
	name: 'mapTitle',
	placeholder: 'e.g. Hail last week',
	description: 'Defaults to the name of the file',
});

/** The map options of an operation that outputs a GeoJSON file, in the order of their names. */
export const mapOptions = [drawMapOption, mapColumnOption, mapTitleOption] as const;

/** The options of the map; undefined when none is wanted. */
export function readMapOptions(options: Input, fileName: string): MapOptions | undefined {
	if (!options.flag(drawMapOption)) return undefined;
	const title = options.optionalText(mapTitleOption) ?? fileName;
	return { title, column: options.optionalText(mapColumnOption) };
}

/**
 * Passes a download through and adds the map of its features to the item, if one is wanted: three
 * binary fields, and its facts in `map`. Omissions are also a hint. A map that cannot be drawn costs
 * neither the file nor the item, which says why.
 *
 * @param download stores the file; called with what watches its bytes, again for each attempt
 */
export async function withMap(
	context: IExecuteFunctions,
	options: MapOptions | undefined,
	download: (
		watch: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
	) => Promise<INodeExecutionData>,
): Promise<INodeExecutionData> {
	let maker = new MapMaker();
	const file = await download((bytes) => {
		if (!options) return bytes;
		maker = new MapMaker();
		return maker.watch(bytes);
	});
	if (!options) return file;
	const result = await settle(storeMap(context, maker, options));
	const { facts, files } = result.ok
		? result.value
		: {
				facts: { drawn: 0, note: `The map could not be drawn: ${(result.error as Error).message}` },
				files: {},
			};
	if (facts.note) addHint(context, { message: `Map: ${facts.note}`, type: 'info' });
	return { json: { ...file.json, map: facts }, binary: { ...files, ...file.binary } };
}

async function storeMap({ helpers }: IExecuteFunctions, maker: MapMaker, options: MapOptions) {
	const { png, svg, page, facts } = maker.draw(options);
	const store = async (data: Uint8Array | string, name: string, type: string) =>
		await helpers.prepareBinaryData(Buffer.from(data), name, type);
	const files = {
		map: await store(png(), 'map.png', 'image/png'),
		mapSvg: await store(svg, 'map.svg', 'image/svg+xml'),
		mapPage: await store(page, 'map.html', 'text/html'),
	};
	return { facts, files };
}
