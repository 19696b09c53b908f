/**
 * A real n8n that loads the nodes again whenever their sources change: `npm run dev`. Beside it runs a
 * stand-in for the service, as in the demo.
 */
import { REPOSITORY } from './lib/paths';
import { atEnd, invitation, openPlayground, runCommand } from './lib/playground';
import { HOT_RELOAD, watchPackage } from './lib/watchedPackage';

runCommand(async () => {
	const playground = await openPlayground({
		env: HOT_RELOAD,
		prepare: async (userFolder) => {
			const watched = await watchPackage(REPOSITORY, userFolder, (line) =>
				process.stdout.write(`${line}\n`),
			);
			atEnd(watched.stop);
		},
	});
	process.stdout.write(`\n${invitation(playground)}\n`);
	process.stdout.write('Save a file in nodes/ or credentials/, and the editor shows the change.\n');
	return 'running';
});
