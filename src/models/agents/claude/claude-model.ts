import type { Model } from '../../../core/ports/model.ts';
import type { AgentOptions } from '../agent.ts';
import { agentModel } from '../agent-model.ts';
import { ClaudeAgent } from './claude-agent.ts';
import { loadSdk } from './claude-sdk.ts';
import { findSdk } from './find-sdk.ts';

/**
 * Claude Code as a model, through the Claude Agent SDK that the user has installed.
 * @param model the name in Claude Code, such as `sonnet`; `default` for the one that the user has set there
 * @throws ThoughtTreeError `bad-input` if the SDK is not found, saying how to get it
 */
export async function openClaudeModel(
  model: string,
  workspace: string,
  options: AgentOptions = {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<Model> {
  const sdk = await loadSdk(await findSdk(workspace, options, env));
  return agentModel(new ClaudeAgent(sdk, model, workspace, options, env));
}
