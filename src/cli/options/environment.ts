import { secretsIn } from '../../models/http/secrets-in.ts';
import { HTTP_PROVIDERS } from '../../models/open-model.ts';
import type { SearchFlags } from './options.ts';

/** What the environment says about models. Keys come only from here, and are never written. */
export interface Environment {
  readonly model: string | undefined;
  readonly judge: string | undefined;
  readonly baseUrl: string | undefined;
  /** All of it, for the providers' usual key variables. */
  readonly variables: NodeJS.ProcessEnv;
}

export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  return {
    model: env['THOUGHT_TREE_MODEL']?.trim() || undefined,
    judge: env['THOUGHT_TREE_JUDGE']?.trim() || undefined,
    baseUrl: env['THOUGHT_TREE_BASE_URL']?.trim() || undefined,
    variables: env,
  };
}

/** The model that this person names now: on the command line, else in the environment. */
export function namedModel(flags: SearchFlags, env: Environment): string | undefined {
  return flags.model?.trim() || env.model;
}

/** The model that this person wants to pick and evaluate. */
export function namedJudge(flags: SearchFlags, env: Environment): string | undefined {
  return flags.judge?.trim() || env.judge;
}

/** Everything in the environment and in an address that must never be printed. */
export function secretsOf(env: Environment, baseUrl: string | undefined): string[] {
  const names = new Set(['THOUGHT_TREE_API_KEY', ...[...HTTP_PROVIDERS.values()].flatMap((each) => each.keyVariables)]);
  const keys = [...names].flatMap((name) => env.variables[name] ?? []);
  return [...keys, ...secretsIn(baseUrl), ...secretsIn(env.baseUrl)];
}
