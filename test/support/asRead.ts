import { Failure, type FailureParts } from '../../nodes/Wherobots/transport/failure';

/** A failure with the description that a person reads, its next step at the end. */
export function asRead({ nextStep, ...parts }: FailureParts): FailureParts {
	return { ...parts, description: new Failure({ ...parts, nextStep }).description };
}
