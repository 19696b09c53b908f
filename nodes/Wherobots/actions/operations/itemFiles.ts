import type {
	IBinaryData,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import {
	type ChoiceField,
	defineChoiceField,
	defineCollection,
	defineSwitchField,
	defineTextField,
} from '../../form/declarations';
import { binaryFieldOption } from '../../form/fields';
import type { Input } from '../../form/input';
import { show } from '../../form/values';
import { MapMaker } from '../../map';
import type { MapOptions } from '../../map/scene';
import type { Existing, FileSource } from '../../useCases/files/storage';
import type { IfExists } from '../../service/files';
import * as rules from '../../service/rules';
import { type ByteStream, type FileTally, hash, toReadable } from '../../transport/bytes';
import { clock } from '../../transport/clock';
import { Failure, settle } from '../../transport/failure';
import type { BodyReader } from '../../transport/transfer';
import { addHint, type Call } from './operation';

/**
 * Streams a download into n8n's binary store, counted and hashed on the way. The stored file is
 * complete only when `bytes` ends without an error; otherwise the write fails and nothing is kept.
 *
 * @param reader where the bytes come from
 * @param mimeType when undefined, n8n goes by the name
 */
export async function storeDownload(
	{ helpers }: Pick<IExecuteFunctions, 'helpers'>,
	reader: BodyReader,
	bytes: AsyncIterable<Uint8Array>,
	fileName: string,
	mimeType?: string,
): Promise<{ binary: IBinaryData; tally: FileTally }> {
	const { output, tally } = hash(bytes);
	const stream = toReadable(reader.response.body, output, () => reader.stop());
	const binary = await helpers.prepareBinaryData(
		stream as Parameters<typeof helpers.prepareBinaryData>[0],
		fileName,
		mimeType,
	);
	return { binary, tally };
}

const drawMapField = defineSwitchField({
	displayName: 'Draw Map',
	name: 'drawMap',
	description:
		"Whether to also draw the features, if the file is GeoJSON: as a picture (PNG) in the output field 'map', as SVG in 'mapSvg' and as a web page in 'mapPage'",
});

const mapColumnOption = defineTextField({
	displayName: 'Map Column',
	name: 'mapColumn',
	placeholder: 'e.g. size',
	description:
		'The column whose values color the features: numbers in five classes, text by its seven most frequent values. Codes with leading zeros count as text.',
});

const mapBackgroundOption = defineSwitchField({
	displayName: 'Map Background',
	name: 'mapBackground',
	default: true,
	description:
		'Whether to show coarse land and borders behind the features, or on small maps the name of the nearest large city',
});

const mapTitleOption = defineTextField({
	displayName: 'Map Title',
	name: 'mapTitle',
	placeholder: 'e.g. Hail last week',
	description: 'The text above the map. Defaults to the name of the table or file.',
});

const mapOptionsField = defineCollection('Map Options', [
	mapBackgroundOption,
	mapColumnOption,
	mapTitleOption,
]);

/** The map of an operation that outputs a GeoJSON file. @param show where it does */
export const defineMapFields = (show: Record<string, string[]>): INodeProperties[] => [
	{ ...drawMapField, displayOptions: { show } },
	{ ...mapOptionsField, displayOptions: { show: { ...show, [drawMapField.name]: [true] } } },
];

/**
 * The options of the map; undefined when none is wanted.
 *
 * @param field of the file
 * @throws Failure when the file would take the map's field
 */
export function readMapOptions(input: Input, field: string, name: string): MapOptions | undefined {
	if (!input.flag(drawMapField)) return undefined;
	if (/^map(Page|Svg)?$/.test(field)) {
		const taken = `'${drawMapField.displayName}' fills map, mapPage and mapSvg`;
		throw input.problem(binaryFieldOption, `must not be ${field}: ${taken}`);
	}
	const options = input.within(mapOptionsField);
	const title = options.optionalText(mapTitleOption) ?? name;
	const background = options.flag(mapBackgroundOption);
	return { title, column: options.optionalText(mapColumnOption), background };
}

/**
 * Passes a download through and adds the map of its features to the item, if one is wanted: three
 * binary fields, and its facts in `map`. Omissions are also a hint. A map that cannot be drawn costs
 * neither the file nor the item, which says why.
 *
 * @param download stores the file; called with what watches its bytes, again for each attempt
 */
export async function addMap(
	context: IExecuteFunctions,
	options: MapOptions | undefined,
	download: (
		watch: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
	) => Promise<INodeExecutionData>,
): Promise<INodeExecutionData> {
	const turn = async () => await clock.turn();
	let maker = new MapMaker(turn);
	const file = await download((bytes) => {
		if (!options) return bytes;
		maker = new MapMaker(turn);
		return maker.watch(bytes);
	});
	if (!options) return file;
	const result = await settle(storeMap(context, maker, options));
	const { facts, files } = result.ok
		? result.value
		: {
				facts: { drawn: 0, note: `It could not be drawn: ${(result.error as Error).message}` },
				files: {},
			};
	const type = result.ok ? 'info' : 'warning';
	// That a result has no rows is a hint already.
	if (facts.note && file.json.rows !== 0) addHint(context, { message: `Map: ${facts.note}`, type });
	return { json: { ...file.json, map: facts }, binary: { ...files, ...file.binary } };
}

async function storeMap({ helpers }: IExecuteFunctions, maker: MapMaker, options: MapOptions) {
	const { png, svg, page, facts } = maker.draw(options);
	const store = async (data: Uint8Array | string, name: string, type: string) =>
		await helpers.prepareBinaryData(Buffer.from(data), name, type);
	// Stored one by one, so that n8n can do other work between them.
	// The editor shows the first ones without scrolling, and can draw only the picture.
	const files = {
		map: await store(await png(), 'map.png', 'image/png'),
		mapPage: await store(page, 'map.html', 'text/html'),
		mapSvg: await store(svg, 'map.svg', 'image/svg+xml'),
	};
	return { facts, files };
}

export const contentFromField = defineChoiceField({
	displayName: 'Content From',
	name: 'contentFrom',
	options: {
		binary: ['Input Binary Field', 'A file of any size'],
		text: ['Text', 'Text that you enter or that comes from an expression'],
	},
	default: 'binary',
	description: 'Where the content of the file comes from',
});

export const inputBinaryField = defineTextField({
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	default: 'data',
	required: true,
	description: 'Name of the field in the input item that holds the file to upload',
});

export const contentTextField = defineTextField({
	displayName: 'Text',
	name: 'fileText',
	typeOptions: { rows: 5 },
	required: true,
	description: 'Content of the file, stored as UTF-8',
	exact: true,
	isCode: true,
});

export const fileNameField = defineTextField({
	displayName: 'File Name',
	name: 'fileName',
	placeholder: 'e.g. nightly_etl.py',
	description:
		'Name of the file in the storage. Required for text; for an input file, leave empty to use its name.',
	rule: rules.checkFileName,
	exact: true,
});

/** @param initial what a new node does */
export function defineIfExistsField(initial: IfExists): ChoiceField<IfExists> {
	return defineChoiceField({
		displayName: 'If the File Exists',
		name: 'ifFileExists',
		options: {
			fail: ['Fail the Node', 'Leave the file as it is'],
			keep: ['Keep It', 'Upload nothing and continue with the existing file'],
			replace: ['Replace It', 'Overwrite its content'],
		},
		default: initial,
		description:
			"What to do when a file with this path already exists. 'Fail the Node' and 'Keep It' check before the upload: a file that someone else uploads in between is replaced.",
	});
}

/** What to do with a file that exists. */
export function readExisting(input: Input, field: ChoiceField<IfExists>): Existing {
	return {
		ifExists: input.choice(field),
		advice: `To replace the file or use it as it is, change '${field.displayName}'.`,
	};
}

/** A file to upload. */
export interface NamedFile {
	fileName: string;
	source: FileSource;
}

/** The file in the chosen field of the input item, under the chosen name or its own. Throws as `readBinary` does. */
export async function readBinaryFile(call: Call): Promise<NamedFile> {
	const { input } = call;
	const given = input.optionalText(fileNameField);
	const { fileName, source } = await readBinary(
		call,
		inputBinaryField,
		input.text(inputBinaryField),
	);
	const named = given ?? fileName;
	if (named !== undefined) return { fileName: named, source };
	throw input.problem(fileNameField, 'must be set: the input file has no name that can be used');
}

/**
 * A file of the input item, with its own name where that can be used. It is read as a stream where n8n keeps files outside its
 * memory and database, and so knows their size beforehand.
 *
 * @param field the node's field that names it, for errors
 * @param property the field of the input item
 * @throws Failure when there is no such file
 */
export async function readBinary(
	call: Call,
	field: INodeProperties,
	property: string,
): Promise<Partial<NamedFile> & Pick<NamedFile, 'source'>> {
	const { context, input, itemIndex } = call;
	const found = await settle((async () => context.helpers.assertBinaryData(itemIndex, property))());
	// Names like `constructor` lead to something that is not a file.
	if (!found.ok || typeof found.value.mimeType !== 'string') {
		const fields = Object.keys(context.getInputData()[itemIndex].binary ?? {});
		throw input.problem(
			field,
			`must name a field that holds a file: the input item has no file in ${show(property)}`,
			fields.length > 0
				? `It has files in ${fields.join(', ')}.`
				: 'It has no files. Put a node that outputs one before this node, such as one that downloads or reads it.',
		);
	}
	const binary = found.value;
	const { fileName } = binary;
	const isUsable = fileName && rules.checkFileName(fileName) === undefined;
	const source = await getSource(call, binary, property);
	return isUsable ? { fileName, source } : { source };
}

/** The text of a field as a file. @throws Failure when it has no name */
export function readTextFile({ input }: Call): NamedFile {
	const bytes = Buffer.from(input.text(contentTextField), 'utf8');
	const fileName = input.text(fileNameField);
	return { fileName, source: { size: bytes.length, open: async () => bytes } };
}

async function getSource(
	{ context, itemIndex }: Call,
	{ id }: IBinaryData,
	field: string,
): Promise<FileSource> {
	const { helpers } = context;
	if (id) {
		const { fileSize } = await helpers.getBinaryMetadata(id);
		if (Number.isSafeInteger(fileSize)) {
			const open = async () => (await helpers.getBinaryStream(id)) as unknown as ByteStream;
			return { size: fileSize, open };
		}
	}
	const bytes = await helpers.getBinaryDataBuffer(itemIndex, field);
	if (bytes instanceof Uint8Array) return { size: bytes.length, open: async () => bytes };
	throw new Failure({
		message: 'n8n could not read the input file: run the node that provides it again',
		isInput: true,
	});
}
