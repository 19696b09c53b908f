interface Lock {
	packages: Record<string, LockedPackage>;
}

interface LockedPackage {
	/** Of a package that is installed under another name. */
	name?: string;
	version?: string;
	resolved?: string;
	integrity?: string;
}

/** npm takes it for whichever registry is configured (its setting `replace-registry-host`). */
const REGISTRY = 'https://registry.npmjs.org';

/**
 * Adds to a package-lock.json where each package is downloaded. The locks of this repository leave
 * that out, and npm then asks the registry for the description of each package first: twice as many
 * requests, and megabytes for packages with many versions.
 *
 * @param text a package-lock.json
 * @returns the same with `resolved` for every package that came from a registry
 */
export function withAddresses(text: string): string {
	const lock = JSON.parse(text) as Lock;
	for (const [place, entry] of Object.entries(lock.packages)) {
		// What has no checksum did not come from a registry.
		if (!entry.integrity || !entry.version || entry.resolved) continue;
		const name = entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 13);
		const file = name.slice(name.indexOf('/') + 1);
		entry.resolved = `${REGISTRY}/${name}/-/${file}-${entry.version}.tgz`;
	}
	return JSON.stringify(lock);
}
