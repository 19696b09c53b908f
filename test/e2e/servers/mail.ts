import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail server on loopback that keeps what it is given. @param tell is given each mail as it arrives */
export async function startMail(tell?: (mail: Email) => void) {
	const received: Email[] = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		// The names of machines are no business of a test.
		disableReverseLookup: true,
		onData(stream, _session, accept) {
			buffer(stream)
				.then(async (message) => await PostalMime.parse(message))
				.then((mail) => {
					received.push(mail);
					tell?.(mail);
					accept();
				}, accept);
		},
	});
	server.listen(0, '127.0.0.1');
	await once(server.server, 'listening');
	const { port } = server.server.address() as AddressInfo;
	return {
		credential: {
			name: 'Mail',
			type: 'smtp',
			data: {
				...{ user: '', password: '', host: '127.0.0.1', port },
				...{ secure: false, disableStartTls: true },
			},
		},
		/** What was sent, oldest first. */
		received,
		stop: async () => await new Promise<void>((resolve) => server.close(resolve)),
	};
}
