import { takeBack } from './sharedN8n';

export default async function globalTeardown(): Promise<void> {
	await takeBack()?.stop();
}
