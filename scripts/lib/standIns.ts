/**
 * What the recipes need besides Wherobots Cloud: S3, SFTP, PostgreSQL, a mail server, a chat model and Git,
 * all on this machine and in this process.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Attachment } from 'postal-mime';

import type { CredentialData } from '../../test/e2e/n8n/apiTypes';
import { startEmbeddedPostgres } from '../../test/e2e/servers/embeddedPostgres';
import { startMail } from '../../test/e2e/servers/mail';
import { startS3 } from '../../test/e2e/servers/s3';
import { startSftp } from '../../test/e2e/servers/sftp';
import { startStandInModel } from './standInModel';

export interface StandIns {
	credentials: CredentialData[];
	/** Replaces `https://raw.githubusercontent.com`. */
	gitUrl: string;
	stop(): Promise<void>;
}

const SCRIPT = `# What the recipe script-from-git fetches, uploads and runs.
print("counting")
`;

async function startStorage() {
	const s3 = await startS3('my-bucket', 'audit-archive');
	for (const name of ['2026-01-30.csv', '2026-01-31.csv']) {
		await s3.put(`incoming/${name}`, Buffer.from('station,size\nS1,22.5\n'));
	}
	return s3;
}

async function startArchive() {
	const sftp = await startSftp();
	await mkdir(path.join(sftp.folder, 'audit-archive'));
	return sftp;
}

/** Prints the mails that it receives, and keeps them as files to open, because there is no mailbox. */
async function startMailbox() {
	const folder = await mkdtemp(path.join(tmpdir(), 'n8n-nodes-wherobots-mail-'));
	let mails = 0;
	const server = await startMail(({ from, to, subject, text, html, attachments }) => {
		const body = text ? `${text.trim().replace(/^/gm, '    ')}\n` : '';
		const sender = from?.name ? `Workflow: ${from.name}\n` : '';
		process.stdout.write(`\n${sender}Mail to ${to?.[0]?.address}: ${subject}\n${body}`);
		mails += 1;
		const keep = (name: string, content: string | Uint8Array) => {
			const file = path.join(folder, `${mails}-${name}`);
			writeFileSync(file, content);
			process.stdout.write(`    Open ${pathToFileURL(file).href}\n`);
		};
		for (const { filename, content } of attachments) {
			keep(path.basename(filename ?? 'attachment'), new Uint8Array(content as ArrayBuffer));
		}
		if (html) keep('mail.html', withPictures(html, attachments));
	});
	const stop = async () => {
		await server.stop();
		await rm(folder, { recursive: true });
	};
	return { ...server, stop };
}

/** The text of a mail with its pictures embedded, so that a browser can show it. */
const withPictures = (html: string, attachments: Attachment[]) =>
	attachments.reduce(
		(page, { contentId, content, mimeType }) =>
			contentId
				? page.replaceAll(
						`cid:${contentId.replace(/^<|>$/g, '')}`,
						`data:${mimeType};base64,${Buffer.from(content as ArrayBuffer).toString('base64')}`,
					)
				: page,
		html,
	);

export async function startStandIns(): Promise<StandIns> {
	const servers = await Promise.all([
		...[startStorage(), startArchive(), startEmbeddedPostgres()],
		...[startMailbox(), startStandInModel()],
	]);
	const git = http.createServer((_request, response) => response.end(SCRIPT));
	git.listen(0, '127.0.0.1');
	await once(git, 'listening');
	return {
		credentials: servers.map(({ credential }) => credential),
		gitUrl: `http://127.0.0.1:${(git.address() as AddressInfo).port}`,
		stop: async () => {
			git.close();
			git.closeAllConnections();
			await Promise.all(servers.map(async ({ stop }) => await stop()));
		},
	};
}
