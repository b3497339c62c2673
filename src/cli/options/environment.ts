import type { Environment } from '../../searches/models/environment.ts';
import type { SearchFlags } from './options.ts';

/** The model that this person names now: on the command line, else in the environment. */
export function namedModel(flags: SearchFlags, env: Environment): string | undefined {
  return flags.model?.trim() || env.model;
}

/** The model that this person wants to pick and evaluate. */
export function namedJudge(flags: SearchFlags, env: Environment): string | undefined {
  return flags.judge?.trim() || env.judge;
}
