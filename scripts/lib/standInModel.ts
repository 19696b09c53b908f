import {
	type ChatAnswer,
	type ChatRequest,
	serveChatModel,
} from '../../test/e2e/servers/chatModel';

/** How much of what it heard last it repeats, in characters. */
const REPEATED = 300;

const toDate = (said: string) => ({
	date: /\d{4}-\d\d-\d\d/.exec(said)?.[0] ?? '2026-01-31',
});

const wantsLarge = (said: string) => /on a large runtime/i.test(said);

/**
 * The tools of the recipes' agents in the order in which they are called, with what they are asked for;
 * a tool is left out when there is nothing.
 */
const CALLS: Record<string, (said: string) => object | undefined> = {
	Run_job: toDate,
	Run_small_job: (said) => (wantsLarge(said) ? undefined : toDate(said)),
	// A person has to approve it, so n8n puts what it is asked for into an envelope.
	Run_large_job: (said) =>
		wantsLarge(said) ? { toolParameters: toDate(said), hitlParameters: {} } : undefined,
	Read_log: (said) => ({ run_id: /\bid\W+([\da-f]{12,})/i.exec(said)?.[1] ?? '' }),
	List_catalogs: () => ({}),
	Get_table: () => ({ catalog_id: 'cat-org', namespace: 'noaa', table: 'hail' }),
	Query: () => ({
		query:
			'SELECT state, MAX(size) AS largest FROM org_catalog.noaa.hail GROUP BY state ORDER BY largest DESC LIMIT 3',
	}),
};

/**
 * Takes the place of a chat model, so that agents can be published and tried without one. It understands
 * nothing: it has each tool called once, and repeats what the last one said.
 */
export async function startStandInModel() {
	const { credential, stop } = await serveChatModel(toAnswer);
	return { credential: { ...credential, name: 'Stand-in for a chat model' }, stop };
}

function toAnswer({ messages, tools = [] }: ChatRequest): ChatAnswer {
	// What was said before is in the agent's memory.
	const asked = messages.slice(messages.map(({ role }) => role).lastIndexOf('user'));
	const called = asked.flatMap((message) => message.tool_calls ?? []);
	const [has, had] = [tools, called].map((all) => all.map((each) => each.function.name));
	const heard = asked.map(({ content }) => content);
	const [call] = Object.entries(CALLS).flatMap(([tool, ask]) => {
		const parameters = has.includes(tool) && !had.includes(tool) && ask(JSON.stringify(heard));
		return parameters ? [{ tool, parameters }] : [];
	});
	const last = String(heard.at(-1)).slice(0, REPEATED);
	return call ?? `A stand-in for a chat model repeats what it heard last: ${last}`;
}
