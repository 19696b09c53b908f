/** The regular expressions and the texts of the shipped code, found in its sources. */
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
	await visitShipped((node, at) => {
		if (!ts.isRegularExpressionLiteral(node) || found.has(node.text)) return;
		const end = node.text.lastIndexOf('/');
		const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
		found.set(node.text, { at: at(), source, flags });
	});
	return [...found.values()];
}

/** Every text that is written there; of one with values, each piece between them. */
export async function shippedTexts(): Promise<Array<{ at: string; text: string }>> {
	const found: Array<{ at: string; text: string }> = [];
	await visitShipped((node, at) => {
		if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) {
			found.push({ at: at(), text: node.text });
		}
	});
	return found;
}

async function visitShipped(visit: (node: ts.Node, at: () => string) => void): Promise<void> {
	for (const folder of ['nodes', 'credentials']) {
		for (const name of await listFiles(path.join(REPOSITORY, folder))) {
			if (!name.endsWith('.ts')) continue;
			const file = `${folder}/${name}`;
			const code = await readFile(path.join(REPOSITORY, file), 'utf8');
			const tree = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
			const visitBelow = (node: ts.Node) => {
				const line = () => tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
				visit(node, () => `${file}:${line()}`);
				ts.forEachChild(node, visitBelow);
			};
			visitBelow(tree);
		}
	}
}
