import type { AnswersByData, Model, Price } from '../../core/ports/model.ts';
import type { AgentOptions } from '../../models/agents/agent.ts';
import { secretsIn } from '../../models/keys.ts';
import { HTTP_PROVIDERS, openModel } from '../../models/open-model.ts';
import type { Recorder } from '../../models/replay/recorder.ts';
import { withOwnAgents } from './own-agents.ts';
import { prepareModel } from './prepare-model.ts';

/** The environment's settings for models. Keys come only from here, and are never written. */
export interface Environment {
  readonly model: string | undefined;
  readonly judge: string | undefined;
  readonly baseUrl: string | undefined;
  readonly queue: string | undefined;
  /** All of it, for the providers' usual key variables. */
  readonly variables: NodeJS.ProcessEnv;
}

export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  return {
    model: env['THOUGHT_TREE_MODEL']?.trim() || undefined,
    judge: env['THOUGHT_TREE_JUDGE']?.trim() || undefined,
    baseUrl: env['THOUGHT_TREE_BASE_URL']?.trim() || undefined,
    queue: env['THOUGHT_TREE_QUEUE']?.trim() || undefined,
    variables: env,
  };
}

/** A person's settings for a model on a command line, besides the environment. */
export interface ModelRequest {
  readonly workspace: string;
  readonly env: Environment;
  readonly baseUrl?: string | undefined;
  readonly price?: Price | undefined;
  readonly thinking?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly allowedFiles?: readonly string[] | undefined;
  readonly agent?: AgentOptions | undefined;
  readonly recorder?: Recorder | undefined;
  readonly byData?: AnswersByData | undefined;
  /** Takes the place of the one that would be opened: one of a fleet. */
  readonly model?: Model | undefined;
  /** The texts that must not be printed, besides keys. */
  readonly secrets?: readonly string[] | undefined;
}

/** Opens a model by name with the keys of the environment, prepared as every host does. */
export async function openWithEnvironment(name: string, request: ModelRequest): Promise<Model> {
  const { workspace, env, baseUrl, price, thinking, timeoutMs, allowedFiles, agent, recorder, byData } = request;
  const given = {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(allowedFiles && { allowedFiles }),
    agent: withOwnAgents(agent),
  };
  const opened = async (): Promise<Model> =>
    openModel(name, { workspace, cwd: process.cwd(), environment: env.variables, byData, ...given });
  const secrets = [...secretsOf(env, baseUrl), ...(request.secrets ?? [])];
  // The workers of a fleet know the price; what this person says is one of several.
  const known = request.model ? undefined : price;
  return prepareModel(request.model ?? (await opened()), { price: known, thinking, secrets, recorder, allowedFiles });
}

/** Everything in the environment and in an address that must never be printed. */
function secretsOf(env: Environment, baseUrl: string | undefined): string[] {
  const names = new Set(['THOUGHT_TREE_API_KEY', ...[...HTTP_PROVIDERS.values()].flatMap((each) => each.keyVariables)]);
  const keys = [...names].flatMap((name) => env.variables[name] ?? []);
  return [...keys, ...secretsIn(baseUrl), ...secretsIn(env.baseUrl)];
}
