/** What several groups share: people and their roles, error bodies, list pages. */
import { filled, listOf, nullable, object, oneOf, text, time, type Schema } from './schema';

const policy = object({
	'id?': text,
	'createTime?': time,
	'updateTime?': time,
	provider: oneOf('WHEROBOTS', 'AWS'),
	locator: text,
	action: text,
	effect: oneOf('ALLOW', 'DENY'),
});

const role = object({
	id: filled,
	createTime: time,
	updateTime: time,
	name: text,
	organizationId: text,
	policies: listOf(policy),
});

/** Interface, "Run": triggeredBy. */
export const customer = object({
	id: filled,
	createTime: time,
	updateTime: time,
	email: nullable(text),
	name: nullable(text),
	roles: listOf(role),
});

/** Interface, "Errors". */
export const errorBody = object({
	errors: {
		...listOf(
			object({
				code: filled,
				message: text,
				details: text,
				path: text,
				suggestion: text,
				documentation_url: nullable(text),
				field: nullable(text),
			}),
		),
		minItems: 1,
	},
	requestId: filled,
});

const cursor = nullable(text);

/** Interface, "Run list page"; the audit log has the same. */
export const cursorPage = (items: Schema): Schema =>
	object({
		items: listOf(items),
		total: { type: 'integer', minimum: 0 },
		'current_page?': cursor,
		'current_page_backwards?': cursor,
		'previous_page?': cursor,
		'next_page?': cursor,
	});

export const pageQuery = {
	cursor: text,
	size: { type: 'integer', minimum: 0, maximum: 100 },
};
