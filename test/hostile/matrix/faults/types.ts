/** A column of the matrix. */
import type { EndpointId, Fault } from '../../../sandbox';

/** What has to become of a request that meets a fault. */
type Expectation =
	/** The result that there would have been without it. */
	| 'result'
	/** An error that names the cause. */
	| 'error'
	/** Either of them: what came can be enough. */
	| 'either'
	/** A result made of what came, or an error. */
	| 'data';

export interface MatrixFault {
	group: string;
	name: string;
	/** Made anew for each cell. */
	fault(scene: { elsewhere: string; secret: string }): Fault;
	/** The only endpoint that it applies to. */
	only?: EndpointId;
	/** What another endpoint does meanwhile. */
	also?: { endpoint: EndpointId; fault: Fault };
	/** How many requests it hits; all unless it is given. */
	times?: number;
	expect: Expectation;
	/** What an error has to say about the cause. */
	cause: RegExp;
	/** The service may have carried out the request. */
	ambiguous?: boolean;
	/** HTTP itself says that the body is whole: only its content can show that it is not. */
	looksWhole?: boolean;
	/** It leads to another host. */
	redirects?: boolean;
	/** It takes real time, so it is tried with the main request of each operation, and the trigger, alone. */
	slow?: boolean;
	/** A variant that is tried with the main request of each operation alone. */
	mainOnly?: boolean;
	/** Applies to pages of lists alone. */
	pagesOnly?: boolean;
	/** Applies to JSON alone. */
	jsonOnly?: boolean;
	/** Applies to responses with a body alone. */
	needsBody?: boolean;
	/** n8n's clock minus the service's, in milliseconds. */
	clockOffsetMs?: number;
	/** Fields that the fault adds, and that a result may have. */
	adds?: string[];
}

/** Makes faults of one group, which have most in common: by name, what the service does, what differs. */
export const inGroup =
	(group: string, shared: Pick<MatrixFault, 'expect' | 'cause'> & Partial<MatrixFault>) =>
	(
		name: string,
		fault: Fault | MatrixFault['fault'],
		more: Partial<MatrixFault> = {},
	): MatrixFault => ({
		...{ group, name, ...shared, ...more },
		fault: typeof fault === 'function' ? fault : () => fault,
	});
