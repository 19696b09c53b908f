import { settled } from '../../../nodes/Wherobots/transport/settled';

it('how a promise ended is a value', async () => {
	const error = new Error('no');
	expect(await settled(Promise.resolve(0))).toEqual({ ok: true, value: 0 });
	expect(await settled(Promise.reject(error))).toEqual({ ok: false, error });
});
