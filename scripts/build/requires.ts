import ts from 'typescript';

/** Stands for a `require()` or `import()` whose argument is not a plain string. */
export const COMPUTED = '(computed)';

/**
 * Every module that a JavaScript file requires: `import`, `export … from`, `require()`, `import()`.
 *
 * @returns the names as written, each once; {@link COMPUTED} for one that is only known at run time
 */
export function requiredModules(code: string, fileName = 'file.js'): string[] {
	const found = new Set<string>();
	const add = (name: ts.Node | undefined) => {
		found.add(name && ts.isStringLiteralLike(name) ? name.text : COMPUTED);
	};
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node)) add(node.moduleSpecifier);
		if (ts.isExportDeclaration(node) && node.moduleSpecifier) add(node.moduleSpecifier);
		if (ts.isCallExpression(node) && loadsModule(node.expression)) add(node.arguments[0]);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(fileName, code, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS));
	return [...found].sort();
}

function loadsModule(callee: ts.Expression): boolean {
	if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
	const base = ts.isPropertyAccessExpression(callee) ? callee.expression : callee;
	return ts.isIdentifier(base) && base.text === 'require';
}
