import { installSpark, MISSING, missingTools } from './install';

/** Installs Spark before any test needs it, or has all tests skipped, with a message. */
export default async function globalSetup(): Promise<void> {
	const missing = missingTools();
	process.env[MISSING] = missing.join(', ');
	if (missing.length === 0) return void (await installSpark());
	process.stderr.write(
		`\n*** SKIPPED: a real Spark needs what is missing here: ${missing.join(', ')} ***\n\n`,
	);
}
