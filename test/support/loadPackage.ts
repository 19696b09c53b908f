import 'reflect-metadata';

import { PackageDirectoryLoader } from 'n8n-core';

/** What n8n knows about a package once it has loaded it. */
export interface LoadedPackage {
	nodes: Record<string, LoadedClass>;
	credentials: Record<string, LoadedClass>;
}

/** One node or credential type. */
interface LoadedClass {
	displayName: string;
	/** Paths as n8n serves them, one for each theme. */
	icons: string[];
	/** From the codex file; credentials have none. */
	categories: string[];
}

interface LoadedDescription {
	displayName: string;
	iconUrl?: string | { light: string; dark: string };
	codex?: { categories?: string[] };
}

/**
 * Loads an unpacked package with n8n's own loader and prints what it found as JSON.
 * A program of its own, so that the package finds n8n's modules as it does in n8n: by NODE_PATH.
 */
async function main(dir: string): Promise<void> {
	const loader = new PackageDirectoryLoader(dir);
	await loader.loadAll();
	const loaded: LoadedPackage = {
		nodes: mapValues(loader.nodeTypes, ({ type }) => describeClass(type.description)),
		credentials: mapValues(loader.credentialTypes, ({ type }) => describeClass(type)),
	};
	process.stdout.write(JSON.stringify(loaded));
}

function describeClass(given: object): LoadedClass {
	const { displayName, iconUrl, codex } = given as LoadedDescription;
	const icons = typeof iconUrl === 'object' ? [iconUrl.light, iconUrl.dark] : [iconUrl ?? ''];
	return { displayName, icons, categories: codex?.categories ?? [] };
}

function mapValues<In, Out>(record: Record<string, In>, map: (value: In) => Out) {
	return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

void main(process.argv[2]);
