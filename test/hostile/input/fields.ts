/** Every field of a form, taken from the form itself, and how to set one of them to any value. */
import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
} from 'n8n-workflow';

import { by } from '../../support/files';
import { getGroup } from '../../../nodes/Wherobots/form/declarations';

/** A field that holds a value of its own, wherever it is in the form. */
export interface Leaf {
	/** `environment.sparkConfigs[].key` */
	path: string;
	type: INodeProperties['type'];
	/** What an error may call it: its own label, or that of the list that it is in. */
	labels: string[];
	/** The values that other fields must have for this one to be in the form. */
	needs: IDataObject;
	/** Puts a value into it, among parameters that are fine otherwise. */
	set(parameters: INodeParameters, value: unknown): INodeParameters;
}

/** Values for required fields that the uses leave empty, by name. */
const FILLED: Record<string, unknown> = {
	targetFolder: by('path', 'a'),
	jarUri: by('path', 's3://bucket/job.jar'),
	pythonUri: by('path', 's3://bucket/job.py'),
	storagePath: 's3://acme-jobs',
	storageId: by('id', 'stor-acme'),
	folder: by('path', 'jobs'),
	bucket: 'acme-bucket',
	bindingName: 'lake',
	awsRegion: 'eu-west-1',
	tableBucketArn: 'arn:aws:s3tables:us-west-2:123456789012:bucket/my-tables',
	from: '2026-11-19T00:00:00Z',
	to: '2026-11-20T00:00:00Z',
	expiresAt: '2027-01-01T00:00:00Z',
	libraryName: 'rasterio',
	key: 'spark.sql.shuffle.partitions',
	value: '8',
	costLimit: '25',
	column: 'id',
	at: by('name', '3051729675574597004'),
	since: by('name', '3051729675574597004'),
	boundingBox: '0, 0, 1, 1',
	shape: 'POINT (7.1 50.7)',
	latitude: '50.7',
	longitude: '7.1',
	distance: '500',
};

const isForTools = ({ displayOptions }: INodeProperties) =>
	displayOptions?.show?.['@tool'] !== undefined;

function shownWith({ displayOptions }: INodeProperties): IDataObject {
	const conditions = Object.entries(displayOptions?.show ?? {});
	return Object.fromEntries(
		conditions.map(([name, values]) => [name.replace(/^\//, ''), values?.[0] as never]),
	);
}

/** All leaves of a form. Those of AI tools alone are not in the form that a person has. */
export function leavesOf(fields: INodeProperties[]): Leaf[] {
	return fields
		.filter((field) => field.type !== 'notice' && !isForTools(field))
		.flatMap((field) => {
			const needs = shownWith(field);
			const set: Leaf['set'] = (parameters, value) => ({
				...parameters,
				[field.name]: located(field, value) as never,
			});
			if (field.type === 'collection') return membersOf(field);
			const self: Leaf = {
				path: field.name,
				type: field.type,
				labels: [field.displayName],
				needs,
				set,
			};
			return field.type === 'fixedCollection' ? cellsOf(field, self) : [self];
		});
}

/** The members of a collection, each set beside the others. */
function membersOf(collection: INodeProperties): Leaf[] {
	const members = leavesOf((collection.options ?? []) as INodeProperties[]);
	return members.map((leaf) => ({
		...leaf,
		path: `${collection.name}.${leaf.path}`,
		labels: [...leaf.labels, collection.displayName],
		needs: { ...shownWith(collection), ...leaf.needs },
		set: (parameters, value) => ({
			...parameters,
			[collection.name]: leaf.set((parameters[collection.name] ?? {}) as INodeParameters, value),
		}),
	}));
}

/** The columns of a list of rows, each in a row whose other columns are fine. */
function cellsOf(field: INodeProperties, self: Leaf): Leaf[] {
	const { name, values }: INodePropertyCollection = getGroup(field);
	return values.map((column) => ({
		...self,
		path: `${field.name}[].${column.name}`,
		labels: [field.displayName, column.displayName],
		type: column.type,
		set: (parameters, value) => {
			const row = Object.fromEntries(
				values.map((other) => [other.name, FILLED[other.name] ?? other.default]),
			);
			return self.set(parameters, { [name]: [{ ...row, [column.name]: value }] });
		},
	}));
}

/** A value as the form stores it. */
function located(field: INodeProperties, value: unknown): unknown {
	if (field.type !== 'resourceLocator') return value;
	const typed = field.modes?.find(({ type }) => type === 'string');
	return { __rl: true, mode: typed?.name, value };
}

/** Parameters in which a field is in the form, made of some in which it may not be. */
export function withNeeds(
	fields: INodeProperties[],
	leaf: Leaf,
	parameters: INodeParameters,
): INodeParameters {
	const shown: INodeParameters = { ...parameters, ...(leaf.needs as INodeParameters) };
	for (const { name, required } of fields) {
		if (!required || shown[name] !== undefined) continue;
		if (FILLED[name] === undefined) continue;
		// In the form or not: a field that decides about that may be the one that is tried.
		shown[name] = FILLED[name] as never;
	}
	return shown;
}
