import { asFailure, Failure } from '../../nodes/Wherobots/transport/failure';
import type { EndpointId } from '../../nodes/Wherobots/service/endpoints';
import type { FileEntry } from '../../nodes/Wherobots/service/files';
import type { CallOptions, Client } from '../../nodes/Wherobots/transport/client';
import type {
	PresignedRequest,
	PresignedResult,
} from '../../nodes/Wherobots/transport/files/presigned';

/** The error for a response of the service with this status. */
export const refusal = (status: number): Failure =>
	new Failure({ message: 'Refused', description: 'It said no.', httpCode: `${status}` });

/** Entries of a listing by their paths; those of folders end in a slash. */
export const entries = (...paths: string[]): FileEntry[] =>
	paths.map((path) => ({
		name: path.replace(/\/$/, '').split('/').at(-1) ?? '',
		path,
		type: path.endsWith('/') ? 'FOLDER' : 'FILE',
		size: 7,
	}));

/** The object that stands for an empty folder, in its listing. */
export const marker = { name: '', path: 'any/', type: 'FILE', size: 0 };

type Answer = (options: CallOptions) => unknown;

/** What a storage and the service in front of it answer; an error is thrown. */
interface Answers {
	calls?: Partial<Record<EndpointId, Answer>>;
	/** Entries by folder, in one page. A folder that is missing is not found. */
	folders?: Record<string, FileEntry[]>;
	/** Results of requests to addresses, one after the other, the last one again and again. */
	presigned?: PresignedResult[];
	signal?: AbortSignal;
}

/** A client without a network, and what was asked of it: `createDirectory a/b/`. */
export function fileClient({ calls = {}, folders = {}, presigned = [], signal }: Answers) {
	const asked: string[] = [];
	const sent: Array<Omit<PresignedRequest, 'signal'>> = [];
	const answer = async (id: EndpointId, options: CallOptions) => {
		asked.push(`${id} ${options.path?.path}`.trim());
		const given = await Promise.resolve(
			calls[id]?.(options) ?? (id === 'listDirectory' ? listing(options) : undefined),
		);
		if (given instanceof Error) throw given;
		return given;
	};
	const listing = ({ path = {} }: CallOptions) => {
		const items = folders[path.path];
		return items ? { items, next_page: null } : refusal(404);
	};
	const client = {
		baseUrl: 'https://api',
		deadline: Infinity,
		signal,
		clean: asFailure,
		call: answer,
		locate: answer,
		sendPresigned: async (request: Omit<PresignedRequest, 'signal'>) => {
			sent.push(request);
			return await Promise.resolve(presigned[Math.min(sent.length, presigned.length) - 1]);
		},
	} as unknown as Client;
	return { client, asked, sent };
}
