import type { Price } from '../../core/ports/model.ts';
import { accountOf } from '../../fleet/names.ts';
import { originOf } from '../../fleet/origin.ts';
import type { OpenOwnModel } from '../../fleet/worker/served-models.ts';
import { findKey } from '../../models/find-key.ts';
import { HTTP_PROVIDERS, providerOf } from '../../models/open-model.ts';
import { type Environment, openWithEnvironment } from '../../searches/models/environment.ts';

/** The longest that the model itself lets a call take, in milliseconds: each call says its own time. */
const LONGEST_MS = 86_400_000;

export interface OwnModelsOptions {
  readonly address: string | undefined;
  /** Of the one that they name. */
  readonly price: Price | undefined;
  /** True if they name the models: then the address is for all of them. */
  readonly areNamed: boolean;
}

/** Opens the models that a worker may serve, with the keys and servers of this person. */
export function ownModels(env: Environment, { address, price, areNamed }: OwnModelsOptions): OpenOwnModel {
  const baseUrl = address ?? env.baseUrl;
  const own = originOf(baseUrl);
  return async (name, asked) => {
    const { provider } = providerOf(name);
    const rules = HTTP_PROVIDERS.get(provider);
    if (!rules) return undefined;
    const origin = areNamed ? own : asked;
    if (origin !== undefined && origin !== own) return undefined;
    const server = origin === undefined ? undefined : baseUrl;
    const { apiKey } = findKey(rules, { baseUrl: server, environment: env.variables });
    // A model that nobody named here is served only where this person put a key for it.
    if (!areNamed && origin === undefined && (!rules.needsKey || apiKey === undefined)) return undefined;
    const workspace = process.cwd(); // nothing of it is read
    const model = await openWithEnvironment(name, { workspace, env, baseUrl: server, price, timeoutMs: LONGEST_MS });
    return { model, origin, account: accountOf(apiKey, server ?? rules.defaultBaseUrl ?? '') };
  };
}
