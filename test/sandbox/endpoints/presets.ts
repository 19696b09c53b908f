/** Environment override presets: interface.md "Environment override presets". */
import { customerById } from '../model/people';
import { presetInput } from '../model/presets';
import { ServiceError } from '../server/errors';
import { route } from '../server/route';

export const listPresets = route({
	at: 'GET /environment-override-preset',
	handle({ env }) {
		const { presets } = env.store;
		return { json: presets.all().map((preset) => presets.view(preset)) };
	},
});

export const upsertPreset = route({
	at: 'PUT /environment-override-preset',
	body: presetInput,
	handle({ env, body, caller }) {
		const { presets } = env.store;
		if (presets.named(body.name)?.protected) {
			throw new ServiceError(403, { details: `Preset '${body.name}' is protected.` });
		}
		const createdBy = customerById(caller.customerId) ?? null;
		return { json: presets.view(presets.upsert(body, { createdBy })) };
	},
});

/** Public description of the service; that a protected preset cannot be deleted is only our reading of the name. */
export const deletePreset = route({
	at: 'DELETE /environment-override-preset/{environment_override_preset_id}',
	handle({ env, params }) {
		const { presets } = env.store;
		const preset = presets.existing(params.environment_override_preset_id);
		if (preset.protected) {
			throw new ServiceError(403, { details: `Preset '${preset.name}' is protected.` });
		}
		presets.delete(preset);
		return { text: 'null' };
	},
});

/** Public description of the service. */
export const listEnvironmentPresets = route({
	at: 'GET /environment-preset',
	handle({ env }) {
		const { presets } = env.store;
		return { json: presets.environments.map((preset) => presets.environmentView(preset)) };
	},
});
