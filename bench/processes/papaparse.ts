/** papaparse without n8n, on the Node.js that runs n8n. */
import axios from 'axios';
import Papa from 'papaparse';

import type { Target } from './service';
import type { Sample } from '../measure';
import { serve } from './remote';

let text = '';

const papaparseFunctions = {
	/** Fetches the text that `parse` works on. */
	async fetch({ baseUrl, apiKey }: Target, params: object): Promise<void> {
		const { data } = await axios.get<string>(`${baseUrl}/audit-log/export`, {
			...{ params, proxy: false, responseType: 'text' },
			headers: { 'X-API-Key': apiKey },
		});
		text = data;
	},

	/** @param rows how many rows the text has */
	parse(rows: number): Sample {
		const cpu = process.cpuUsage();
		const begun = performance.now();
		const { data } = Papa.parse(text, { header: true, skipEmptyLines: true });
		const ms = performance.now() - begun;
		const { user, system } = process.cpuUsage(cpu);
		if (data.length !== rows) throw new Error(`papaparse found ${data.length} of ${rows} rows`);
		return { ms, cpuMs: (user + system) / 1_000 };
	},
};

export type PapaparseFunctions = typeof papaparseFunctions;

serve(papaparseFunctions);
