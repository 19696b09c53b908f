/** A shipped source file that is published with the libraries it imports inside it. */
export interface BundledFile {
	/** The path of the source from the root of the repository. */
	source: string;
	/** The npm packages that may end up in it; any other one ends the build. */
	packages: string[];
}

/**
 * n8n accepts no runtime dependencies, so a library that shipped code needs is compiled into the
 * one file that imports it. Keep this list short: the scanner lints every line of what comes out.
 */
export const BUNDLED_FILES: BundledFile[] = [
	{ source: 'nodes/Wherobots/useCases/auditLog/auditExport.ts', packages: ['papaparse'] },
	{ source: 'nodes/Wherobots/transport/socket.ts', packages: ['@cto.af/wtf8', 'cbor2'] },
	{ source: 'nodes/Wherobots/useCases/sql/checkArrow.ts', packages: ['@uwdata/flechette'] },
	{ source: 'nodes/Wherobots/map/d3.ts', packages: ['d3-array'] },
	{ source: 'nodes/Wherobots/map/shapes.ts', packages: ['hershey'] },
	{ source: 'nodes/Wherobots/map/pictures.ts', packages: ['fast-png', 'fflate', 'iobuffer'] },
];

/** What a file in dist may require from n8n. Everything else has to be relative or bundled. */
export const PROVIDED_BY_N8N: ReadonlySet<string> = new Set([
	'n8n-workflow',
	'crypto',
	'node:crypto',
	'luxon',
]);
