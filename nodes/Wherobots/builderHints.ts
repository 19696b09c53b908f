/**
 * What n8n's workflow builder, its agents and its MCP server are shown beside names and descriptions.
 * Texts only: n8n evaluates no expression in them, and refuses hints on Resource and Operation themselves.
 */
import type { IBuilderHint } from 'n8n-workflow';

export const nodeHint: IBuilderHint = {
	searchHint:
		'Acts in Wherobots Cloud; to start a workflow on what happens there, use the Wherobots Trigger. Three ways to wait for a job run: Job Run: Create with Wait for Completion for runs of minutes; Job Run: Create without it and a second workflow with the Wherobots Trigger for runs of hours; Job Run: Wait for Completion for a run that another node submitted. Job runs, task runs and SQL sessions cost money while they run: set a timeout and a spending limit.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-wherobots.wherobotsTrigger',
			relationHint:
				'Starts a workflow when a job run or task run ends, takes too long or costs too much, when a table has new data, or when an audit event is recorded',
		},
		{
			nodeType: 'n8n-nodes-base.scheduleTrigger',
			relationHint: 'Starts nightly job runs and daily archives of the audit log',
		},
	],
};

export const triggerHint: IBuilderHint = {
	searchHint:
		'Polls Wherobots Cloud and starts a workflow once for each event. Use it instead of a loop that reads statuses, and instead of waiting for job runs that take hours. Outputs one item for each event; eventId is unique.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-wherobots.wherobots',
			relationHint:
				'Acts on the event: reads the log of the run, submits another job run, queries its results',
		},
	],
};

/** By the values of Resource and Operation, for operations that are easily misused. */
export const operationHints: Record<string, string> = {
	'jobRun create':
		"A name that identifies the work, such as nightly-etl- followed by the date, with 'If a Run With This Name Exists' set to 'Use It If Recent', submits the work once even if the workflow runs twice; do not put the execution's ID into it. Leave Region and Runtime at the organization's default unless asked otherwise. A run costs money until it ends: set Timeout (Minutes) and, when waiting, Cancel Above Cost (USD).",
	'jobRun cancel': 'Stops the run for everybody who waits for it.',
	'jobRun getLogs':
		'An error of Create and Wait and the items of the trigger already have the cause of a failure.',
	'jobRun rerun':
		'Takes everything from the run: only what should differ goes into Changes. After a trigger on failed runs, let an If node stop at names that end in -2: the second try can fail, too.',
	'sql executeQuery':
		"Spark SQL with Sedona's ST_ functions. Keep Read Only on unless the statement is meant to change data. Pass values from items as Query Parameters (:name), never by an expression inside the statement. A session costs money until it has been idle for a while.",
	'auditLog export':
		"For an archive: Schedule Trigger once a day, Time Range 'Previous Day', then a storage node for the file. Events are deleted after 90 days.",
	'apiKey create': 'Never show the secret to a model.',
	'table create':
		"Before the first Insert Rows: 'Add Columns From Input Items' takes the types from the items. To run it again and again, set 'If It Exists' to 'Use It'.",
	'table deleteRows':
		"Turn on 'Count Only' first to see how many rows match. The output names the snapshot to go back to.",
	'table getRows':
		'For joins and aggregates use SQL: Execute Query. A session costs money until it has been idle for a while.',
	'table insertRows':
		'If the workflow may run twice, the rows are inserted twice: use Insert or Update Rows then.',
	'table upsertRows':
		"Choose 'Columns to Match On'. Repeating it changes nothing more: the way to write rows where a workflow may run twice.",
	'table loadFile':
		'Nothing comes through n8n. Mode Replace may run twice, Append adds the rows twice.',
	'api request':
		"API Request is a method and a path of the deployment's /openapi.json, such as GET /organization/quota/organization.",
};
