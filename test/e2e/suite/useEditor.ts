import { type SandboxOptions } from '../../sandbox';
import { Editor } from './editor';
import { sharedUrl } from './sharedN8n';
import { type Stage, useStage } from './stage';

/**
 * The stage of the test that is running, and the editor of the suite's n8n in a browser. What is on the
 * screen at the end of each test is kept among the artifacts.
 *
 * @param options of the service, such as the data to begin with
 */
export function useEditor(options?: SandboxOptions) {
	const stage = useStage(options);
	let editor: Editor;
	beforeEach(async () => {
		editor = await Editor.open(sharedUrl(), stage().n8n.sessionCookie);
	});
	afterEach(async () => {
		await editor.screenshot(`${expect.getState().currentTestName} - end`);
		await editor.close();
	});
	return (): Stage & Pick<Editor, 'page'> & { editor: Editor } => ({
		...stage(),
		editor,
		page: editor.page,
	});
}
