/**
 * A function at the top of a module says what it does: its name begins with a verb. Predicates (`isActive`,
 * `hasStatus`) and conversions (`toItem`) begin with the words in the first line of the list. Those in the
 * second line have one meaning each, which CONTRIBUTING.md tells.
 */
const VERBS = new Set(
	`is has to
	check choose create define describe explain fetch find format get list parse read run search simplify
	add adopt advise apply assert attach bind browse build cast change clamp classify clean comment compare
	complete compute convert copy count cut decode delete detect disambiguate divide download draw ensure
	escape estimate examine execute export extract fail fall fill filter finish fit flatten floor forget gzip
	hash index insert join judge label limit log make mask match measure name observe open output pad
	pass pick poll post prepare quote rank redact refuse remove rename render request require resolve round
	select send set settle shape shorten show slice sort spell split store stream stroke submit suggest take
	test thin tokenize trace transfer trim truncate try unbox unfold unpack upload view wait watch wrap write
	yield`
		.trim()
		.split(/\s+/),
);

const isFunction = (node) =>
	node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';

/** @type {import('eslint').Rule.RuleModule} */
export default {
	meta: {
		type: 'suggestion',
		messages: {
			noVerb:
				"'{{name}}' does not begin with a verb. Say what it does; a new verb goes into scripts/lint/functionNames.mjs.",
		},
		schema: [],
	},
	create(context) {
		const check = (id) => {
			const [firstWord = id.name] = /^[a-z]+/.exec(id.name) ?? [];
			if (VERBS.has(firstWord)) return;
			context.report({ node: id, messageId: 'noVerb', data: { name: id.name } });
		};
		const top = ':matches(Program, ExportNamedDeclaration)';
		return {
			[`${top} > FunctionDeclaration`]: ({ id }) => check(id),
			[`${top} > VariableDeclaration > VariableDeclarator`]: ({ id, init }) => {
				if (isFunction(init)) check(id);
			},
		};
	},
};
