import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';
import getPort from 'get-port';

import type { CredentialData } from '../n8n/apiTypes';
import { accepting, findCommand } from './command';

/** OpenSSH's SFTP server on loopback, for this user and one key. */
export interface SftpServer {
	credential: CredentialData;
	/** The folder that a relative path leads to. */
	folder: string;
	/** What is stored: contents by path below `folder`. */
	files(): Promise<Map<string, Buffer>>;
	stop(): Promise<void>;
}

export async function startSftp(): Promise<SftpServer> {
	const sshd = findCommand('sshd', 'openssh-server');
	const keygen = findCommand('ssh-keygen', 'openssh-client');
	const root = await mkdtemp(path.join(tmpdir(), 'sftp-'));
	const folder = path.join(root, 'files');
	await mkdir(folder);
	for (const name of ['host', 'user']) {
		await execa(keygen, ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(root, name)]);
	}
	await writeFile(path.join(root, 'authorized'), await readFile(path.join(root, 'user.pub')));
	await chmod(path.join(root, 'authorized'), 0o600);
	const port = await getPort({ host: '127.0.0.1' });
	const settings = [
		`Port ${port}`,
		'ListenAddress 127.0.0.1',
		`HostKey ${path.join(root, 'host')}`,
		`AuthorizedKeysFile ${path.join(root, 'authorized')}`,
		`PidFile ${path.join(root, 'pid')}`,
		'PermitRootLogin prohibit-password',
		'PasswordAuthentication no',
		'KbdInteractiveAuthentication no',
		'UsePAM no',
		// The folders above are everybody's, as temporary ones are.
		'StrictModes no',
		`Subsystem sftp internal-sftp -d ${folder}`,
	];
	await writeFile(path.join(root, 'config'), `${settings.join('\n')}\n`);
	// Debian's sshd keeps what it need not touch out of reach there.
	if (userInfo().uid === 0) await mkdir('/run/sshd', { recursive: true });
	const server = execa(sshd, ['-D', '-e', '-f', path.join(root, 'config')], { all: true });
	const failed = server.then(
		() => undefined,
		(error: Error) => error,
	);
	const gone = await Promise.race([failed, accepting(port)]);
	if (gone) throw gone;
	return {
		credential: {
			name: 'SFTP archive',
			type: 'sftp',
			data: {
				host: '127.0.0.1',
				port,
				username: userInfo().username,
				privateKey: await readFile(path.join(root, 'user'), 'utf8'),
				password: '',
				passphrase: '',
			},
		},
		folder,
		files: async () => {
			const entries = await readdir(folder, { recursive: true, withFileTypes: true });
			const files = new Map<string, Buffer>();
			for (const entry of entries.filter((candidate) => candidate.isFile())) {
				const file = path.join(entry.parentPath, entry.name);
				files.set(path.relative(folder, file), await readFile(file));
			}
			return files;
		},
		stop: async () => {
			server.kill('SIGTERM');
			await failed;
			await rm(root, { recursive: true, force: true });
		},
	};
}
