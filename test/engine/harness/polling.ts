/**
 * Polls the trigger through n8n-core's own poll context and executor, with the two ways in which
 * n8n keeps a trigger's state: the classic engine and the durable scheduler.
 */
import 'reflect-metadata';

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { PollContext, PollTriggerExecutor, TriggersAndPollers } from 'n8n-core';
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { WherobotsTrigger } from '../../../nodes/Wherobots/WherobotsTrigger.node';
import { forgetAll } from '../../../nodes/Wherobots/trigger/poll';
import { additionalData, packageNodeTypes } from './engine';
import { type Account, credentialsFor } from './index';
import { suiteWithSandbox } from './suite';

const TYPE = 'n8n-nodes-wherobots.wherobotsTrigger';
const NAME = 'Wherobots Trigger';

export interface TriggerOptions {
	engine?: 'classic' | 'durable';
	credentials?: ICredentialDataDecryptedObject;
	/** What `getPollBudgetMs` says; null for an n8n that does not have it. */
	budgetMs?: number | null;
	/** The trigger in place of the sources' (the one that was built). */
	node?: INodeType;
}

/** What is written to n8n's log from now on. */
export function listenToLog(): () => string[] {
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockReturnValue();
	return () => warn.mock.calls.map(([text]) => text);
}

let workflows = 0;

/** An active workflow with the trigger. */
export class ActiveTrigger {
	/** Items of each execution that was started. */
	readonly executions: INodeExecutionData[][] = [];

	/** Failed polls that n8n was told of. */
	readonly errors: Error[] = [];

	/** The node's static data as n8n's database has it. */
	stored: IDataObject = {};

	parameters: INodeParameters;

	private readonly id = `w${++workflows}`;

	/** The classic engine's workflow and context, for the life of an activation. */
	private live?: { workflow: Workflow; context: PollContext };

	constructor(
		sandbox: Account,
		parameters: INodeParameters,
		private readonly options: TriggerOptions = {},
		public credentials = options.credentials ?? credentialsFor(sandbox),
	) {
		this.parameters = parameters;
	}

	/** JSON of all items since the last call. */
	take(): IDataObject[] {
		return this.executions.splice(0).flatMap((items) => items.map(({ json }) => json));
	}

	/** Bytes of the state as it is stored. */
	get bytes(): number {
		return JSON.stringify(this.stored).length;
	}

	/** Turns the workflow on: one poll at once, whose failure is the activation's. */
	async activate(): Promise<void> {
		const { workflow, context } = this.build('activate', this.stored);
		if (this.isDurable) {
			// n8n does not store what a first poll without items has found.
			const data = await this.pollNode(workflow, context);
			if (data) this.emit(data, workflow);
			return;
		}
		this.live = { workflow, context };
		await this.execute(true);
		this.save(workflow);
	}

	/** The next scheduled poll. */
	async poll(): Promise<void> {
		if (!this.isDurable) return await this.execute(false);
		const { workflow, context } = this.build('update', this.stored, true);
		try {
			const data = await this.pollNode(workflow, context);
			if (data) this.emit(data, workflow);
			this.save(workflow);
		} catch (error) {
			this.errors.push(error as Error);
		}
	}

	/** n8n dies and is started again: only what was stored is left. */
	async restart(): Promise<void> {
		this.live = undefined;
		forgetAll();
		if (!this.isDurable) await this.activate();
	}

	/** Presses "Fetch Test Event". */
	async test(): Promise<IDataObject[]> {
		const { workflow, context } = this.build('manual', this.stored, false, 'manual');
		const before = JSON.stringify(this.stored);
		const data = await this.pollNode(workflow, context);
		if (JSON.stringify(this.staticData(workflow)) !== before) {
			throw new Error('The manual test changed the state of the active workflow');
		}
		return (data?.[0] ?? []).map(({ json }) => json);
	}

	/** The state inside the static data, as the running engine has it. */
	get state(): unknown {
		return this.live ? this.staticData(this.live.workflow).state : this.stored.state;
	}

	private get isDurable(): boolean {
		return this.options.engine === 'durable';
	}

	private async execute(activating: boolean): Promise<void> {
		if (!this.live) throw new Error('The workflow is not active');
		const { workflow, context } = this.live;
		const executor = Container.get(PollTriggerExecutor);
		const isCurrent = () => this.live?.workflow === workflow;
		await executor.create(workflow, this.nodeOf(workflow), context, isCurrent)(activating);
	}

	private async pollNode(workflow: Workflow, context: PollContext) {
		// Around a poll, n8n lends the workflow a place in which its expressions are evaluated.
		await workflow.expression.acquireIsolate();
		try {
			const pollers = Container.get(TriggersAndPollers);
			return await pollers.runPollFunction(workflow, this.nodeOf(workflow), context);
		} finally {
			await workflow.expression.releaseIsolate();
		}
	}

	private emit(data: INodeExecutionData[][], workflow: Workflow): void {
		this.executions.push(data[0]);
		this.save(workflow);
	}

	private save(workflow: Workflow): void {
		this.stored = this.staticData(workflow);
	}

	private staticData(workflow: Workflow): IDataObject {
		const data = workflow.getStaticData('node', this.nodeOf(workflow));
		return JSON.parse(JSON.stringify(data)) as IDataObject;
	}

	private nodeOf(workflow: Workflow): INode {
		return workflow.getNode(NAME) as INode;
	}

	private build(
		activation: WorkflowActivateMode,
		stored: IDataObject,
		scheduled = false,
		mode: WorkflowExecuteMode = 'trigger',
	) {
		const node: INode = {
			id: 'trigger',
			name: NAME,
			type: TYPE,
			typeVersion: 1,
			position: [0, 0],
			parameters: this.parameters,
			credentials: { wherobotsApi: { id: 'c1', name: 'Wherobots' } },
		};
		const workflow = new Workflow({
			id: this.id,
			name: 'Triggered',
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes: packageNodeTypes({ [TYPE]: this.options.node ?? new WherobotsTrigger() }),
			staticData: { [`node:${NAME}`]: JSON.parse(JSON.stringify(stored)) as IDataObject },
			settings: { timezone: 'UTC' },
		});
		const context = new PollContext(
			workflow,
			workflow.getNode(NAME) as INode,
			additionalData(undefined, this.credentials),
			mode,
			activation,
			(data) => this.emit(data, workflow),
			(error) => this.errors.push(error),
		);
		const budget = this.options.budgetMs ?? (scheduled ? 36_000 : undefined);
		if (budget !== undefined) Object.assign(context, { getPollBudgetMs: () => budget });
		if (this.options.budgetMs === null) Object.assign(context, { getPollBudgetMs: undefined });
		return { workflow, context };
	}
}

/** Sets up a suite for an event of the trigger, with an organization that has no records yet. */
export function suiteWithTrigger(event: INodeParameters) {
	const suite = suiteWithSandbox({ seed: 'empty' }, '2026-03-01T12:00:00Z');
	const pass = (ms = 60_000) => suite.clock.advance(ms);

	/** An active workflow, with these parameters beside those of the event. */
	const active = async (more: INodeParameters = {}, options?: TriggerOptions) => {
		const trigger = new ActiveTrigger(suite.sandbox, { ...event, ...more }, options);
		await trigger.activate();
		return trigger;
	};

	/** What so many polls find, each a minute after the one before. */
	const polls = async (trigger: ActiveTrigger, count = 1) => {
		for (let poll = 0; poll < count; poll++) {
			pass();
			await trigger.poll();
		}
		return trigger.take();
	};

	return { suite, pass, active, polls };
}
