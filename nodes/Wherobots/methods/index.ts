import { searchJobRuns, searchRegions, searchRuntimes } from './listSearch';

/** What the editor asks the node for while a person fills in the form. */
export const methods = {
	listSearch: { searchJobRuns, searchRegions, searchRuntimes },
};
