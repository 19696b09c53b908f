import { Failure } from '../../nodes/Wherobots/transport/failure';

/** The error for a response of the service with this status. */
export const refusal = (status: number): Failure =>
	new Failure({ message: 'Refused', description: 'It said no.', httpCode: `${status}` });
