import { NodeOperationError, type INode } from 'n8n-workflow';

import { nameUploads } from '../../../../nodes/Wherobots/actions/jobRun/create/runFiles';
import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import { explanationOf, factsOf } from '../../../../nodes/Wherobots/transport/failures/errors';
import { refusal } from '../../../support/fileClient';

const destination = 's3://bucket/jobs/job.py';
const stored = { storageId: 's', path: 'jobs/job.py', destination, size: 9, uploaded: true };

const refused = () => new NodeOperationError({} as INode, 'No', { description: 'It said no.' });

describe('the error of a run whose files were uploaded', () => {
	it.each([
		['from the service', () => refusal(422)],
		['from the node itself', refused],
	])('names the file: an error %s', (_, make) => {
		const error = make();
		nameUploads(error, [stored]);
		expect(explanationOf(error)).toBe(
			`It said no.\nIts file had already been uploaded: ${destination}.`,
		);
		expect(factsOf(error)).toEqual({ uploaded: [destination] });
	});

	it.each([
		['no file was uploaded', undefined],
		['an existing file was kept', [{ ...stored, uploaded: false }]],
	])('does not mention a file when %s', (_, uploads) => {
		const error = refusal(422);
		nameUploads(error, uploads);
		expect([explanationOf(error), factsOf(error)]).toEqual(['It said no.', {}]);
	});

	it('stays as it is when the execution was stopped', () => {
		const stop = new CancelledError();
		nameUploads(stop, [stored]);
		expect(stop).toEqual(new CancelledError());
	});
});
