import type { ModelAnswer, ModelRequest, Turn } from '../core/ports/model.ts';
import { MAX_TOOL_RESULT, type Tool, type Toolbox, type ToolCall, type ToolResult } from '../core/ports/tool.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { withoutReasoning } from '../core/text/model-output.ts';
import type { History } from './history.ts';
import { workStopped } from './messages.ts';

/** The number of times that a model may ask for tools before it has to answer, by default. */
export const TOOL_ROUNDS = 8;
/** The maximum number of uses per round. */
const MOST_AT_ONCE = 8;
/** The most that are answered in words; an answer asks for no more. */
const MOST_ANSWERED = 100;
/** In characters: a result that is cut to less than that says nothing. */
const LEAST_RESULT = 400;
/** In characters: with less room than that there is no further round. */
const LEAST_ROUND = 2000;
const TOO_MANY = `This call was not carried out: at most ${MOST_AT_ONCE} are in one answer. Ask again for what you still need.`;
const NO_ROOM = 'The result was left out: there is no room for it.';
const ONE_MORE = 'One more round of tool calls is answered.';
/** Added to the last result, since not every provider has another way to say it. */
const OVER = 'No more tool calls are answered. What was asked for is due now: write it from what you have seen.';

/** The tools of the models of a search, and where their use is journaled. */
export interface ToolUser {
  readonly toolbox: Toolbox;
  readonly rounds: number;
  /** The largest sum of what all rounds return, in characters. */
  readonly most?: number | undefined;
  readonly history: Pick<History, 'note'>;
}

/** A request with the tools that a model may use; unchanged if it may use none. */
export function withToolbox(request: ModelRequest, user: ToolUser | undefined): ModelRequest {
  return user ? { ...request, tools: user.toolbox.tools } : request;
}

/** Returns all turns of a request, its own question last. */
export function turnsAsked({ turns, prompt, toolResults }: ModelRequest): Turn[] {
  return [...turns, { role: 'user', text: prompt, ...(toolResults ? { toolResults } : {}) }];
}

export interface RoundBounds {
  readonly done: number;
  /** The room for results in the model's context, in characters; missing if that is unknown. */
  readonly room?: number | undefined;
  /** Tells whether the budget leaves room for a request and for one more. */
  readonly leavesRoom: (next: ModelRequest) => boolean;
}

/**
 * Returns the part of a prompt about tools that may be used before the answer; empty if there are none.
 * @param tools as in `Toolbox.tools`
 */
export function toolPrompt(tools: readonly Tool[], rounds = TOOL_ROUNDS, most?: number): string {
  if (tools.length === 0) return '';
  const names = tools.map(({ name }) => name).join(', ');
  return `You can look at the files of the workspace before you answer, with these tools: ${names}. Search for what decides, read whole functions or files rather than single lines, and follow who calls them. Ask for what you need at once, with up to ${MOST_AT_ONCE} calls in one answer. Stop when you know enough: after ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of calls${most === undefined ? '' : `, or some ${most.toLocaleString('en-US')} characters of results,`} none is answered any more, and the answer is due.`;
}

/**
 * Carries out the uses that a model asks for and makes the request with the results: a separate call for journal and
 * budget. The last round that is possible says that it is.
 * @param call the id of the call that asked
 * @throws ThoughtTreeError `aborted`: the result of a stopped use may be incomplete
 */
export async function nextRound(
  user: ToolUser,
  request: ModelRequest,
  { call, answer }: { readonly call: string; readonly answer: ModelAnswer },
  { done, room: whole = Number.POSITIVE_INFINITY, leavesRoom }: RoundBounds,
  signal: AbortSignal,
): Promise<ModelRequest> {
  const toolCalls = (answer.toolCalls ?? []).slice(0, MOST_ANSWERED);
  const given: ToolResult[] = [];
  // One after the other: what is read concurrently here would be multiplied by the slots.
  for (const [at, each] of toolCalls.entries()) {
    const { id, name } = each;
    if (at >= MOST_AT_ONCE) given.push({ id, name, text: TOO_MANY, isRefused: true });
    else given.push(await use(user, each, { call, node: request.node }, signal));
  }
  const toolResults = fittingResults(given, whole);
  const room = toolResults.reduce((left, { text }) => left - text.length, whole);
  const turn: Turn = { role: 'assistant', text: answer.text, toolCalls };
  const { toolsAreOver: _, ...rest } = request;
  const next = { ...rest, turns: [...turnsAsked(request), turn], prompt: '', toolResults };
  const isLast = done + 1 >= user.rounds || room < LEAST_ROUND || !leavesRoom(next);
  if (isLast) return { ...next, toolResults: withNote(toolResults, OVER), toolsAreOver: true };
  const left = [done + 2 === user.rounds ? ONE_MORE : '', user.most === undefined ? '' : roomPrompt(room)];
  const note = left.filter((part) => part !== '').join(' ');
  return note === '' ? next : { ...next, toolResults: withNote(toolResults, note) };
}

/** Says how much room is left after a round, where a prompt said how much there is. */
function roomPrompt(room: number): string {
  const thousands = Math.round(room / 1000);
  return `There is room for about ${thousands},000 more characters of results.`;
}

/** Returns results as far as there is room: the first ones first, but each leaves half of an even share to those after it. */
function fittingResults(results: readonly ToolResult[], whole: number): ToolResult[] {
  const half = whole / 2 / Math.min(results.length, MOST_AT_ONCE);
  const least = half < LEAST_RESULT ? 0 : half;
  let room = whole;
  return results.map((result, at) => {
    const later = results.slice(at + 1, MOST_AT_ONCE).reduce((sum, { text }) => sum + Math.min(text.length, least), 0);
    const shown = fitted(result, Math.floor(room - later));
    room -= shown.text.length;
    return shown;
  });
}

/** Returns a result as far as there is room for it, and whole lines of it where it has some. */
function fitted(result: ToolResult, room: number): ToolResult {
  const { text } = result;
  if (text.length <= room) return result;
  if (room < LEAST_RESULT) return { ...result, text: NO_ROOM, isRefused: true };
  const line = text.lastIndexOf('\n', room - 100);
  const start = line > room / 2 ? text.slice(0, line) : `${text.slice(0, room - 100).toWellFormed()}…`;
  return { ...result, text: `${start}\n(cut: there is no room for more)` };
}

function withNote(results: readonly ToolResult[], note: string): ToolResult[] {
  return results.map((each, at) => (at < results.length - 1 ? each : { ...each, text: `${each.text}\n\n${note}` }));
}

/** Returns a tool's result as the tool gave it, without what was said of further rounds behind it. */
export function withoutNote(text: string): string {
  const at = text.lastIndexOf('\n\n');
  const note = at < 0 ? '' : text.slice(at + 2);
  return note === OVER || note.startsWith(ONE_MORE) || ROOM.test(note) ? text.slice(0, at) : text;
}

const ROOM = /^There is room for about \d{1,9},000 more characters of results\.$/;

async function use(
  user: ToolUser,
  asked: ToolCall,
  asking: { readonly call: string; readonly node: string },
  signal: AbortSignal,
): Promise<ToolResult> {
  const { text, isRefused } = await journaled(user, asking.node)(asking.call).use(asked, signal);
  return { id: asked.id, name: asked.name, text, ...(isRefused ? { isRefused } : {}) };
}

/** Returns the tools of a call, each use of which is journaled, and stopped with the call. */
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

/** Returns a request as it was after kept rounds: what was paid for is not asked again. */
export function afterRounds(
  request: ModelRequest,
  prompt: string,
  rounds: readonly Turn[],
  user: ToolUser,
): ModelRequest {
  const results = rounds.at(-1)?.toolResults;
  if (!results) return { ...request, prompt };
  const count = rounds.filter(({ toolCalls }) => toolCalls).length;
  const isOver = count >= user.rounds || results.at(-1)?.text.endsWith(OVER) === true;
  return {
    ...request,
    turns: [...request.turns, { role: 'user', text: prompt }, ...rounds.slice(0, -1)],
    prompt: '',
    toolResults: results,
    ...(isOver ? { toolsAreOver: true } : {}),
  };
}

/** An answer without what its server left in its text, and what the model wrote where that is more. */
export interface PlainAnswer {
  readonly answer: ModelAnswer;
  readonly words?: string;
}

/** The marks of several servers and models around the uses of tools. */
const AROUND =
  /<\/?tool_calls?>|<\|\/?tool_calls?(?:_begin|_end)?\|?>|\[\/?TOOL_CALLS\]|<\|python_tag\|>|^(?:`{3,}|~{3,})\w*[^\S\n]*$/gim;
const ELEMENT = /^<function=([\w.-]{1,200})>/;
const ELEMENT_END = '</function>';
const PARAMETER = /<parameter=([\w.-]{1,200})>/;
/** The most uses that are looked for. */
const MOST = 100;

/**
 * Takes the reasoning out of an answer's text, and the uses of tools where it is nothing but such.
 * @param newId makes the id of a use
 */
export function plainAnswer(given: ModelAnswer, { tools = [] }: ModelRequest, newId: () => string): PlainAnswer {
  const { text, reasoning } = withoutReasoning(given.text);
  const names = new Set(tools.map(({ name }) => name));
  const uses = given.finish === 'stop' && names.size > 0 ? usesIn(text, names) : undefined;
  if (reasoning === '' && !uses) return { answer: given };
  if (!uses) return { answer: { ...given, text }, words: given.text };
  const toolCalls = uses.map((use): ToolCall => ({ ...use, id: `call_${newId()}` }));
  return { answer: { ...given, text: '', finish: 'tools', toolCalls }, words: given.text };
}

type Use = Pick<ToolCall, 'name' | 'input'>;

/** Returns the uses of these tools that a text consists of; undefined if it says anything else. */
function usesIn(text: string, names: ReadonlySet<string>): readonly [Use, ...Use[]] | undefined {
  const uses: Use[] = [];
  let rest = text.replace(AROUND, ' ').trim();
  while (rest !== '' && uses.length < MOST) {
    const next = elementAt(rest) ?? jsonAt(rest);
    if (!next || next.uses.length === 0 || next.uses.some(({ name }) => !names.has(name))) return undefined;
    uses.push(...next.uses);
    rest = rest.slice(next.length).replace(/^[\s,;]+/, '');
  }
  const [first, ...others] = uses;
  return first && rest === '' ? [first, ...others] : undefined;
}

interface Read {
  readonly uses: readonly Use[];
  readonly length: number;
}

/** Returns a use as some models write it: an element with its parameters, or with JSON. */
function elementAt(text: string): Read | undefined {
  const [tag, name] = ELEMENT.exec(text) ?? [];
  const end = text.indexOf(ELEMENT_END);
  if (tag === undefined || name === undefined || end < 0) return undefined;
  const inside = text.slice(tag.length, end);
  const [before = '', ...pairs] = inside.split(PARAMETER);
  const input: Record<string, unknown> = {};
  for (let at = 0; at + 1 < pairs.length; at += 2)
    input[pairs[at] as string] = jsonOr((pairs[at + 1]?.split('</parameter>')[0] ?? '').trim());
  const isPlain = pairs.length === 0 && before.trim() !== '';
  return { uses: [{ name, input: isPlain ? jsonOr(before.trim()) : input }], length: end + ELEMENT_END.length };
}

function jsonAt(text: string): Read | undefined {
  const length = endOfJson(text);
  const value = length > 0 ? jsonOr(text.slice(0, length)) : undefined;
  const all = Array.isArray(value) ? value : [value];
  const uses = all.flatMap((each) => useFrom(each) ?? []);
  return uses.length === all.length ? { uses, length } : undefined;
}

/**
 * Returns the use that an object describes: a name, and arguments under one of a few names, and nothing else that
 * matters.
 */
function useFrom(said: unknown): Use | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(said));
  const inner = fields.get('function');
  if (typeof inner === 'object') return useFrom(inner);
  const name = fields.get('name') ?? inner;
  const input = ['arguments', 'parameters', 'input', 'args'].map((key) => fields.get(key)).find((each) => each != null);
  if (typeof name !== 'string' || input === undefined) return undefined;
  return { name, input: typeof input === 'string' ? jsonOr(input) : input };
}

/** Returns where the brackets are closed with which a text begins; 0 if it begins with none, or they never are. */
function endOfJson(text: string): number {
  if (!/^[[{]/.test(text)) return 0;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const each = text[at];
    if (isText && each === '\\') at++;
    else if (each === '"') isText = !isText;
    else if (isText) continue;
    else if (each === '[' || each === '{') depth++;
    else if ((each === ']' || each === '}') && --depth === 0) return at + 1;
  }
  return 0;
}

/** Returns a text as JSON, or as it is where it is none. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
