import type { ModelAnswer, ModelRequest, Turn } from '../../core/ports/model.ts';
import { MAX_TOOL_RESULT, type Toolbox, type ToolCall, type ToolResult } from '../../core/ports/tool.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { History } from '../history.ts';
import { workStopped } from '../messages.ts';

/** How often a model may ask for tools before it has to answer, by default. */
export const TOOL_ROUNDS = 8;
/** The maximum number of uses per round. */
const MOST_AT_ONCE = 8;
/** Added to the last result, since not every provider has another way to say it. */
const OVER = 'The tools were used as often as they may be. Answer now, with what is known.';

/** The tools of the models of a search, and where their use is journaled. */
export interface ToolUser {
  readonly toolbox: Toolbox;
  readonly rounds: number;
  readonly history: Pick<History, 'note'>;
}

/** A request with the tools that a model may use; unchanged if it may use none. */
export function withToolbox(request: ModelRequest, user: ToolUser | undefined): ModelRequest {
  return user ? { ...request, tools: user.toolbox.tools } : request;
}

/** All turns of a request, its own question last. */
export function turnsAsked({ turns, prompt, toolResults }: ModelRequest): Turn[] {
  return [...turns, { role: 'user', text: prompt, ...(toolResults ? { toolResults } : {}) }];
}

/**
 * Carries out the uses that a model asks for and makes the request with the results: a separate call for journal and
 * budget.
 * @param call the id of the call that asked
 * @param done how many rounds there were before
 * @throws ThoughtTreeError `aborted`: the result of a stopped use may be incomplete
 */
export async function nextRound(
  user: ToolUser,
  request: ModelRequest,
  { call, answer }: { readonly call: string; readonly answer: ModelAnswer },
  done: number,
  signal: AbortSignal,
): Promise<ModelRequest> {
  const asked = answer.toolCalls ?? [];
  const toolCalls = asked.slice(0, MOST_AT_ONCE);
  const toolResults: ToolResult[] = [];
  // One after the other: what is read concurrently here would be multiplied by the slots.
  for (const each of toolCalls) toolResults.push(await use(user, each, { call, node: request.node }, signal));
  const isLast = done + 1 >= user.rounds;
  const last = toolResults.pop();
  if (last) toolResults.push(isLast ? { ...last, text: `${last.text}\n\n${OVER}` } : last);
  const turn: Turn = { role: 'assistant', text: answer.text, toolCalls };
  const { toolsAreOver: _, ...rest } = request;
  return {
    ...rest,
    turns: [...turnsAsked(request), turn],
    prompt: '',
    toolResults,
    ...(isLast ? { toolsAreOver: true } : {}),
  };
}

async function use(
  user: ToolUser,
  asked: ToolCall,
  asking: { readonly call: string; readonly node: string },
  signal: AbortSignal,
): Promise<ToolResult> {
  const { text, isRefused } = await journaled(user, asking.node)(asking.call).use(asked, signal);
  return { id: asked.id, name: asked.name, text, ...(isRefused ? { isRefused } : {}) };
}

/** The tools of a call, each use of which is journaled, and stopped with the call. */
export function journaled({ toolbox, history }: ToolUser, node: string): (call: string) => Toolbox {
  return (call) => ({
    tools: toolbox.tools,
    async use(asked, signal) {
      const { text: all, isRefused, what } = await toolbox.use(asked, signal);
      rejectStopped(signal);
      const text = all.slice(0, MAX_TOOL_RESULT).toWellFormed();
      const tool = asked.name.slice(0, 100);
      history.note({ type: 'tool-used', call, node, tool, what, isRefused, length: text.length });
      return { text, isRefused, what };
    },
  });
}

/** @throws ThoughtTreeError `aborted` if the work is stopped: nothing more of it is kept */
export function rejectStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new ThoughtTreeError('aborted', workStopped());
}

/** A request as it was after kept rounds: what was paid for is not asked again. */
export function afterRounds(
  request: ModelRequest,
  prompt: string,
  rounds: readonly Turn[],
  user: ToolUser,
): ModelRequest {
  const results = rounds.at(-1)?.toolResults;
  if (!results) return { ...request, prompt };
  const count = rounds.filter(({ toolCalls }) => toolCalls).length;
  return {
    ...request,
    turns: [...request.turns, { role: 'user', text: prompt }, ...rounds.slice(0, -1)],
    prompt: '',
    toolResults: results,
    ...(count >= user.rounds ? { toolsAreOver: true } : {}),
  };
}
