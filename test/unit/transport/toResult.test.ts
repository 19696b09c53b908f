import { toResult } from '../../../nodes/Wherobots/transport/toResult';

it('how a promise ended is a value', async () => {
	const error = new Error('no');
	expect(await toResult(Promise.resolve(0))).toEqual({ ok: true, value: 0 });
	expect(await toResult(Promise.reject(error))).toEqual({ ok: false, error });
});
