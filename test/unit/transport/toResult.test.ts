import { settle } from '../../../nodes/Wherobots/transport/failure';

it('how a promise ended is a value', async () => {
	const error = new Error('no');
	expect(await settle(Promise.resolve(0))).toEqual({ ok: true, value: 0 });
	expect(await settle(Promise.reject(error))).toEqual({ ok: false, error });
});
