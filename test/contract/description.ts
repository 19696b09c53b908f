/** The service's own description. It is not part of this project: checks that need it are left out without it. */
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { REPOSITORY } from '../../scripts/lib/paths';
import { makeFolder } from '../support/folder';

/** An OpenAPI document, as far as it is looked at here. */
export interface Description {
	paths: Record<string, Record<string, Operation>>;
	[key: string]: unknown;
}

interface Schema {
	type?: string;
	anyOf?: Schema[];
}

interface Operation {
	parameters?: Array<{ in: string; name: string; schema?: Schema }>;
}

/** Another place of the file. */
const VARIABLE = 'N8N_NODES_WHEROBOTS_OPENAPI';

/** Where the description is; undefined when it is not there. */
function findDescription(): string | undefined {
	const places = [
		process.env[VARIABLE],
		path.join(REPOSITORY, '..', 'shared', 'reference', 'openapi.json'),
	];
	const found = places.find((place) => place && existsSync(place));
	if (!found) {
		process.stdout.write(
			`Skipped: there is no description of the service (${VARIABLE} names its file)\n`,
		);
	}
	return found && path.resolve(found);
}

const file = findDescription();

export const describeIfKnown = file ? describe : describe.skip;

/** The description as it is; an empty one where it is not there. */
export const readDescription = (): Description =>
	file ? (JSON.parse(readFileSync(file, 'utf8')) as Description) : { paths: {} };

/** Puts a description into a folder for as long as it is used. */
export async function storeDescription(description: Description) {
	const { folder, remove: stop } = await makeFolder('description');
	const file = path.join(folder, 'openapi.json');
	await writeFile(file, JSON.stringify(description));
	return { file, stop };
}
