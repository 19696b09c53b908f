/** An item as n8n stores it. */
export interface Item {
	json: Record<string, unknown>;
	binary?: Record<string, BinaryEntry>;
	error?: ExecutionError;
}

interface BinaryEntry {
	/** Reference into n8n's store; absent in memory mode, where `data` holds the bytes. */
	id?: string;
	data: string;
	fileName?: string;
	mimeType: string;
}

export interface ExecutionError {
	message: string;
	description?: string | null;
	httpCode?: string | null;
	node?: { name: string };
}

export interface ExecutionRecord {
	id: string;
	status: string;
	mode: string;
	startedAt: string | null;
	stoppedAt: string | null;
	data?: {
		resultData: {
			error?: ExecutionError;
			lastNodeExecuted?: string;
			runData: Record<string, NodeRun[]>;
		};
	};
}

interface NodeRun {
	error?: ExecutionError;
	data?: { main?: Array<Item[] | null> };
}

const ENDED = new Set(['success', 'error', 'canceled', 'crashed']);

/** What became of an execution, as its page in n8n would show it. */
export class ExecutionResult {
	constructor(private readonly record: ExecutionRecord) {}

	get id(): string {
		return this.record.id;
	}

	/** `success`, `error`, `canceled`, `crashed`, `running`, `waiting` or `new`. */
	get status(): string {
		return this.record.status;
	}

	get hasEnded(): boolean {
		return ENDED.has(this.status);
	}

	/** `manual`, `trigger` and so on. */
	get mode(): string {
		return this.record.mode;
	}

	/** Why it failed, and at which node. */
	get error(): ExecutionError | undefined {
		return this.record.data?.resultData.error;
	}

	/** Names of the nodes that ran, in no particular order. */
	get nodes(): string[] {
		return Object.keys(this.runs);
	}

	/** The items that a node gave out in its last run, on its first output. */
	items(node: string): Item[] {
		return this.last(node).data?.main?.[0] ?? [];
	}

	/** How often a node ran, as those in a loop do. */
	times(node: string): number {
		return this.runs[node]?.length ?? 0;
	}

	/** The `json` of these items. */
	json(node: string): Array<Record<string, unknown>> {
		return this.items(node).map((item) => item.json);
	}

	/** One line that says how it ended, for test failures and the demo. */
	toString(): string {
		const cause = this.error;
		if (!cause) return `execution ${this.id}: ${this.status}`;
		const at = cause.node ? ` at "${cause.node.name}"` : '';
		const text = [cause.message, cause.description].filter(Boolean).join(' - ');
		return `execution ${this.id}: ${this.status}${at}: ${text}`;
	}

	private get runs(): Record<string, NodeRun[]> {
		return this.record.data?.resultData.runData ?? {};
	}

	private last(node: string): NodeRun {
		const runs = this.runs[node];
		if (!runs?.length) throw new Error(`"${node}" did not run in ${this.toString()}`);
		return runs[runs.length - 1];
	}
}
