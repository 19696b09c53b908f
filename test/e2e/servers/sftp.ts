import type { Stats } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { Server, type SFTPWrapper, utils } from 'ssh2';

import { makeFolder } from '../../support/folder';

/** The one user. */
const USER = { username: 'archive', password: 'sftp-password' };

const { STATUS_CODE } = utils.sftp;

/** An SFTP server on loopback for one user. */
export async function startSftp() {
	const { folder, remove } = await makeFolder('sftp');
	const { private: hostKey } = utils.generateKeyPairSync('ed25519');
	const server = new Server({ hostKeys: [hostKey] }, (client) => {
		client.on('error', () => undefined);
		client.on('authentication', (context) => {
			const { username, password } = USER;
			const known = context.method === 'password' && context.username === username;
			if (known && context.password === password) context.accept();
			else context.reject(['password']);
		});
		client.on('session', (accept) => {
			accept().on('sftp', (acceptSftp) => serve(acceptSftp(), folder));
		});
	});
	await new Promise<void>((resolve) => {
		server.listen(0, '127.0.0.1', resolve);
	});
	const { port } = server.address() as AddressInfo;
	return {
		credential: {
			name: 'SFTP archive',
			type: 'sftp',
			data: { host: '127.0.0.1', port, ...USER, privateKey: '', passphrase: '' },
		},
		/** The folder that a relative path leads to. */
		folder,
		/** What is stored: contents by path below `folder`. */
		files: async () => {
			const entries = await readdir(folder, { recursive: true, withFileTypes: true });
			const files = new Map<string, Buffer>();
			for (const entry of entries.filter((candidate) => candidate.isFile())) {
				const file = path.join(entry.parentPath, entry.name);
				files.set(path.relative(folder, file), await readFile(file));
			}
			return files;
		},
		remove: async (name: string) => await rm(path.join(folder, name)),
		stop: async () => {
			server.close();
			await remove();
		},
	};
}

const attributesOf = ({ mode, uid, gid, size, atimeMs, mtimeMs }: Stats) => ({
	...{ mode, uid, gid, size },
	atime: Math.floor(atimeMs / 1000),
	mtime: Math.floor(mtimeMs / 1000),
});

/** Lists folders and takes files in, within a folder that is its root: more no recipe asks for. */
function serve(sftp: SFTPWrapper, folder: string): void {
	const at = (name: string) => path.join(folder, path.posix.resolve('/', name));
	/** What is open, by the number that is its handle: a file, or the entries of a folder that are left. */
	const opened: Array<{ file?: FileHandle; left: string[] }> = [];
	const kept = (handle: Buffer) => opened[handle.readUInt32BE()];
	const keep = (id: number, what: { file?: FileHandle; left: string[] }) => {
		const handle = Buffer.alloc(4);
		handle.writeUInt32BE(opened.push(what) - 1);
		sftp.handle(id, handle);
	};
	/** Does the work of a request; a failure becomes its status. */
	const answer = (id: number, work: () => Promise<unknown>): void => {
		work().catch((error: NodeJS.ErrnoException) => {
			// In the words of OpenSSH, which name no path of the server.
			if (error.code === 'ENOENT') sftp.status(id, STATUS_CODE.NO_SUCH_FILE, 'No such file');
			else sftp.status(id, STATUS_CODE.FAILURE, 'Failure');
		});
	};
	/** The same, for requests whose only answer is that they were done. */
	const done = (id: number, work: () => Promise<unknown>): void =>
		answer(id, async () => {
			await work();
			sftp.status(id, STATUS_CODE.OK);
		});
	const describe = (id: number, name: string) =>
		answer(id, async () => sftp.attrs(id, attributesOf(await stat(at(name)))));

	sftp.on('REALPATH', (id, name) => {
		const filename = path.posix.resolve('/', name);
		sftp.name(id, [{ filename, longname: filename, attrs: {} as never }]);
	});
	sftp.on('STAT', describe);
	sftp.on('LSTAT', describe);
	sftp.on('OPEN', (id, name, flags) =>
		answer(id, async () => {
			const file = await open(at(name), utils.sftp.flagsToString(flags) ?? 'r');
			keep(id, { file, left: [] });
		}),
	);
	sftp.on('WRITE', (id, handle, offset, data) =>
		done(id, async () => await kept(handle).file!.write(data, 0, data.length, offset)),
	);
	sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK));
	sftp.on('CLOSE', (id, handle) => done(id, async () => await kept(handle).file?.close()));
	sftp.on('OPENDIR', (id, name) =>
		answer(id, async () => {
			const names = await readdir(at(name));
			keep(id, { left: names.map((each) => path.join(at(name), each)) });
		}),
	);
	sftp.on('READDIR', (id, handle) =>
		answer(id, async () => {
			const batch = kept(handle).left.splice(0, 100);
			if (batch.length === 0) return sftp.status(id, STATUS_CODE.EOF);
			const entries = batch.map(async (place) => {
				const [filename, found] = [path.basename(place), await stat(place)];
				// ssh2-sftp-client tells folders by the first letter of the long name.
				const longname = `${found.isDirectory() ? 'd' : '-'}rw-r--r-- 1 0 0 ${found.size} ${filename}`;
				return { filename, longname, attrs: attributesOf(found) };
			});
			return sftp.name(id, await Promise.all(entries));
		}),
	);
	sftp.on('MKDIR', (id, name) => done(id, async () => await mkdir(at(name))));
}
