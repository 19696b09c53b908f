/** Quick-create links and templates of the four stacks: interface.md "Cloud connections". */
import { z } from 'zod/v4';

import { route, type Call, type RouteDraft, type RouteResponse } from '../server/route';

const prefix = z
	.string()
	.max(1024)
	// eslint-disable-next-line no-control-regex
	.regex(/^[^&#\u0000-\u001f\u007f]*$/)
	.default('');

const access = z.enum(['read-only', 'read-write']);

interface Stack {
	/** As endpoints are called; the last part of the path has it in small letters. */
	id: 'Connection' | 'Storage' | 'Glue' | 'S3Tables';
	query: z.ZodRawShape;
	/** What the stack's name is made of. */
	subject(query: Record<string, string>): string;
}

const stacks: Stack[] = [
	{ id: 'Connection', query: {}, subject: () => 'connection' },
	{
		id: 'Storage',
		query: { bucket: z.string().regex(/^[a-z0-9.-]{3,63}$/), prefix, access },
		subject: ({ bucket }) => `storage-${bucket}`,
	},
	{
		id: 'Glue',
		query: {
			name: z.string().min(1),
			access,
			region: z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/),
			awsAccountId: z
				.string()
				.regex(/^\d{12}$/)
				.optional(),
			bucket: z
				.string()
				.regex(/^([a-z0-9.-]{3,63})?$/)
				.default(''),
			prefix,
		},
		subject: ({ name }) => `glue-${name}`,
	},
	{
		id: 'S3Tables',
		query: {
			tableBucketArn: z
				.string()
				.regex(
					/^arn:aws[a-z-]*:s3tables:[a-z0-9-]+:\d{12}:bucket\/[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/,
				),
			access,
		},
		subject: ({ tableBucketArn }) => `s3tables-${tableBucketArn.split('/').pop() ?? ''}`,
	},
];

type StackCall = Call<Record<string, string>>;

function parametersOf(stack: Stack, call: StackCall): { name: string; values: [string, string][] } {
	const connection = call.env.store.cloudConnections.existing(call.params.connection_id);
	const subject = stack.subject(call.query).replace(/[^A-Za-z0-9-]+/g, '-');
	const name = `sandbox-${subject}-${connection.id.slice(0, 8)}`.slice(0, 128);
	const account = { awsAccountId: connection.awsAccountId, connectionId: connection.id };
	return { name, values: Object.entries({ ...account, ...call.query }) };
}

function linkOf(stack: Stack, call: StackCall): Record<string, unknown> {
	const { name, values } = parametersOf(stack, call);
	const query = new URLSearchParams({ stackName: name });
	for (const [key, value] of values) query.set(`param_${key}`, value);
	return {
		url: `https://console.example.com/cloudformation/quickcreate?${query}`,
		stackName: name,
	};
}

/** YAML; every value is quoted as in JSON, which YAML reads as the same text. */
function templateOf(stack: Stack, call: StackCall): string {
	const { name, values } = parametersOf(stack, call);
	const lines = [
		"AWSTemplateFormatVersion: '2010-09-09'",
		`Description: ${JSON.stringify(`Stack ${name} (${pathOf(stack)})`)}`,
		'Parameters:',
		...values.flatMap(([key, value]) => [
			`  ${key[0].toUpperCase()}${key.slice(1)}:`,
			'    Type: String',
			`    Default: ${JSON.stringify(value)}`,
		]),
		'Resources:',
		'  AccessRole:',
		'    Type: AWS::IAM::Role',
	];
	return `${lines.join('\n')}\n`;
}

const pathOf = ({ id }: Stack) => id.toLowerCase();

const routeOf = (stack: Stack, kind: string, handle: (call: StackCall) => RouteResponse) =>
	route({
		at: `GET /cloud-connections/{connection_id}/${kind}/${pathOf(stack)}`,
		query: stack.query,
		handle: (call) => handle(call as StackCall),
	});

export const stackRoutes = Object.fromEntries(
	stacks.flatMap((stack) => [
		[
			`get${stack.id}CreateLink`,
			routeOf(stack, 'create-link', (call) => ({ json: linkOf(stack, call) })),
		],
		[
			`get${stack.id}Template`,
			routeOf(stack, 'cft', (call) => ({
				text: templateOf(stack, call),
				headers: call.env.variants.templateHeaders,
			})),
		],
	]),
) as Record<`get${Stack['id']}${'CreateLink' | 'Template'}`, RouteDraft>;
