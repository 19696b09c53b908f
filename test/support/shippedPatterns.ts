/** Every regular expression that is written in the shipped code, found in its sources. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import ts from 'typescript';

import { listFiles } from '../../scripts/lib/listFiles';
import { REPOSITORY } from '../../scripts/lib/paths';

export interface ShippedPattern {
	/** `nodes/Wherobots/service/time.ts:21` */
	at: string;
	source: string;
	flags: string;
}

/** Each pattern once, in the order of the files. */
export async function shippedPatterns(): Promise<ShippedPattern[]> {
	const found = new Map<string, ShippedPattern>();
	for (const folder of ['nodes', 'credentials']) {
		for (const name of await listFiles(path.join(REPOSITORY, folder))) {
			if (!name.endsWith('.ts')) continue;
			const file = `${folder}/${name}`;
			for (const pattern of patternsIn(file, await readFile(path.join(REPOSITORY, file), 'utf8'))) {
				const key = `/${pattern.source}/${pattern.flags}`;
				if (!found.has(key)) found.set(key, pattern);
			}
		}
	}
	return [...found.values()];
}

function patternsIn(file: string, code: string): ShippedPattern[] {
	const tree = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
	const found: ShippedPattern[] = [];
	const visit = (node: ts.Node) => {
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
			const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
			found.push({ at: `${file}:${line + 1}`, source, flags });
		}
		ts.forEachChild(node, visit);
	};
	visit(tree);
	return found;
}
