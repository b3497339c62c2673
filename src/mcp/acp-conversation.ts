import { join } from 'node:path';
import {
  type AgentContext,
  type ContentBlock,
  type PromptResponse,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import * as z from 'zod';
import type { Message } from '../core/messages/message.ts';
import { isThoughtTreeError, ThoughtTreeError, toThoughtTreeError } from '../core/search/errors.ts';
import { raiseWords, stateOf } from '../core/search/messages.ts';
import { progressOf, progressWords } from '../core/search/progress.ts';
import { raisedLimits, raisedTo } from '../core/search/record/search-state.ts';
import { oneLine, withoutCommands } from '../core/text/text.ts';
import { inertMarkdown } from '../engine-parts/citations/inert-markdown.ts';
import type { Permit, ToolCall, Wanted } from '../searches/agent-tools/agent-host.ts';
import type { Acted, NodeRow, Read, Status } from '../searches/agent-tools/tool-descriptors.ts';
import { linkOnTheWay, SEARCHES } from '../searches/place.ts';
import * as say from './messages.ts';
import type { TreeProgram } from './tree-program.ts';

/**
 * Returns the folder of a workspace that holds its searches.
 * @throws ThoughtTreeError `bad-input` if a link leads elsewhere from there, which may have come with the workspace
 */
export function ownSearches(workspace: string): string {
  const folder = linkOnTheWay(workspace, SEARCHES);
  if (folder === undefined) return join(workspace, SEARCHES);
  throw new ThoughtTreeError('bad-input', say.acpLinked({ folder }));
}

/** For what asks nobody. */
export const nobody = (): Promise<Permit> => Promise.reject(new ThoughtTreeError('declined', say.notAllowed()));

/** The states of a search that is at work. */
const AT_WORK: ReadonlySet<string> = new Set(['running', 'waiting']);
/** The longest wait of one look, in seconds, and the least time between two plans, in milliseconds. */
const WAIT_S = 50;
const BETWEEN_PLANS_MS = 500;

/** One conversation: a first prompt begins a search, later ones steer it or are answered from its documents. */
export class Conversation {
  readonly id: string;
  readonly #program: TreeProgram;
  readonly #client: AgentContext;
  readonly #inWords: (message: Message) => string;
  readonly #remember: ((folder: string) => void) | undefined;
  /** The name of its search, once it has one. */
  #search: string | undefined;
  /** Ends what is under way: an answer, or the telling of what there is. */
  #underWay: AbortController | undefined;
  #count = 0;
  /** The message so far, as it came and as the client was told it. */
  #said = '';
  #told = '';

  /** @param remember is told the folder of each search that it begins */
  constructor(
    id: string,
    program: TreeProgram,
    client: AgentContext,
    inWords: (message: Message) => string,
    remember?: (folder: string) => void,
  ) {
    this.id = id;
    this.#remember = remember;
    this.#program = program;
    this.#client = client;
    this.#inWords = inWords;
  }

  /** Stops what is under way, so that its search is paused. */
  cancel(): void {
    this.#underWay?.abort();
  }

  get search(): string | undefined {
    return this.#search;
  }

  /** Tells whether its person's folder is that of a program. */
  isOf(program: TreeProgram): boolean {
    return this.#program === program;
  }

  /** @throws RequestError while something is under way, which nobody could cancel if another took its place */
  assertIdle(): void {
    if (this.#underWay) throw RequestError.invalidRequest(undefined, this.#inWords(say.acpBusy()));
  }

  async tellCommands(): Promise<void> {
    const availableCommands = Object.entries(COMMANDS).map(([name, message]) => {
      const hint = name === 'new' ? say.acpQuestion() : name === 'act' ? say.acpActs() : undefined;
      return { name, description: this.#inWords(message()), ...(hint && { input: { hint: this.#inWords(hint) } }) };
    });
    await this.#tell({ sessionUpdate: 'available_commands_update', availableCommands });
  }

  /** Shows a search of the folder as the conversation so far. @throws RequestError if there is none of that name */
  async replay(search: string): Promise<void> {
    this.assertIdle();
    this.#underWay = new AbortController();
    this.#said = this.#told = '';
    const call = { signal: this.#underWay.signal };
    try {
      const status = (await this.#program.call('tree_status', { search }, call, nobody)).data as Status;
      this.#search = search;
      const content = { type: 'text' as const, text: status.question };
      await this.#tell({ sessionUpdate: 'user_message_chunk', content });
      await this.#plan(call, status.state);
      await this.#outcome(call);
    } catch (error) {
      if (isThoughtTreeError(error, 'not-found')) throw RequestError.resourceNotFound(search);
      throw error;
    } finally {
      this.#underWay = undefined;
    }
  }

  /** Answers one prompt. A failure is an answer, too: the conversation goes on. */
  async prompt(text: string, requested: AbortSignal): Promise<PromptResponse> {
    this.assertIdle();
    const own = new AbortController();
    this.#underWay = own;
    this.#said = this.#told = '';
    const signal = AbortSignal.any([own.signal, requested]);
    try {
      await this.#answer(text, { signal });
    } catch (error) {
      if (!signal.aborted) await this.#say(this.#inWords(toThoughtTreeError(error).say));
    } finally {
      this.#underWay = undefined;
    }
    return { stopReason: signal.aborted ? 'cancelled' : 'end_turn' };
  }

  async #answer(text: string, call: ToolCall): Promise<void> {
    ownSearches(this.#program.folders[0].workspace);
    const search = this.#search;
    const { command, rest } = commandIn(text);
    if (command === 'new' || (search === undefined && command === undefined)) await this.#start(rest, call);
    else if (search === undefined || command === 'help') await this.#say(this.#inWords(say.acpHelp()));
    else if (command === undefined) await this.#ask(search, rest, call);
    else if (command === 'status' || command === 'report') await this.#outcome(call, command === 'report');
    else if (command === 'resume') await this.#resume(search, call);
    else {
      const [, action = '', said = ''] = /^(\S*)\s{0,100}(.*)$/s.exec(rest) ?? [];
      await this.#act(search, { action, ...(await this.#argumentsIn(search, action, said, call)) }, call);
    }
  }

  /** Continues a search; where it rests at a limit, the person is asked for a higher one. */
  async #resume(search: string, call: ToolCall): Promise<void> {
    const reached = await this.#program.limitReached(search);
    if (!reached) return await this.#act(search, { action: 'resume' }, call);
    const asked = { action: 'grow', arguments: { guards: raisedLimits(reached) } };
    await this.#act(search, asked, call, this.#inWords(raiseWords[reached.guard]({ limit: raisedTo(reached) })));
  }

  /**
   * Reads what follows an action: the path or title of a node, and arguments as JSON; or the one text that it needs, as it is.
   */
  async #argumentsIn(search: string, action: string, said: string, call: ToolCall) {
    const at = said.indexOf('{');
    const data = at < 0 ? undefined : objectIn(said.slice(at));
    const node = (data ? said.slice(0, at) : said).trim();
    const about = node === '' ? {} : { node };
    if (data) return { ...about, arguments: data };
    if (node === '') return {};
    const offered = (await this.#program.call('tree_act', { search }, call, nobody)).data as Acted;
    const needed = offered.actions.find((each) => each.action === action)?.arguments.filter(({ required }) => required);
    const [only, ...others] = needed ?? [];
    return only?.type === 'text' && others.length === 0 ? { arguments: { [only.name]: said } } : about;
  }

  /** Begins a search, and follows it to its end. */
  async #start(question: string, call: ToolCall): Promise<void> {
    let isMade = false;
    const made = (search: string): void => {
      this.#search = search;
      isMade = true;
      this.#remember?.(join(this.#program.folders[0].searches, search));
    };
    const asked = this.#program.call('tree_start', { question }, { ...call, made }, this.#permit(call));
    await asked.catch((error) => this.#failed(error, isMade && call.signal.aborted));
    await this.#follow(call);
  }

  /** Does what the table of actions offers now; without a name, says what that is. */
  async #act(search: string, what: { readonly action: string }, call: ToolCall, also?: string): Promise<void> {
    const asked = { search, ...what, action: what.action || undefined };
    const acting = this.#program.call('tree_act', asked, call, this.#permit(call, also));
    const { data, text } = await acting.catch((error) => this.#failed(error, call.signal.aborted));
    const { state, done } = data as Acted;
    await this.#say(done ? done.message : text);
    if (done?.ok && AT_WORK.has(state)) await this.#follow(call);
  }

  /** Passes an error on; says how the search is, where a person cancelled what would have run it. */
  async #failed(error: unknown, isCancelled: boolean): Promise<never> {
    if (isCancelled) {
      await this.#say(`${this.#inWords(say.acpPaused())}\n`);
      await this.#outcome({ signal: new AbortController().signal }, false);
    }
    throw error;
  }

  async #ask(search: string, question: string, call: ToolCall): Promise<void> {
    let told = Promise.resolve();
    const tell = (text: string): void => {
      // What a client that went away does not hear ends nothing.
      told = told.then(() => this.#say(text)).catch(() => undefined);
    };
    const { isAnswered, documents } = await this.#program.ask(search, question, call, this.#permit(call), tell);
    await told;
    const list = documents.map(({ number, title, path }) => `- [${number}] ${title} (${path}/document.md)`);
    const head = documents.length === 0 ? say.acpNothingFound() : isAnswered ? say.acpFrom() : say.acpFound();
    await this.#say(`\n\n${[this.#inWords(head), ...list].join('\n')}\n`);
  }

  /** Follows the search until it has ended or paused: its first level is the plan, its progress a call of a tool. */
  async #follow(call: ToolCall): Promise<void> {
    const search = this.#search ?? '';
    const toolCallId = `search-${++this.#count}`;
    await this.#tell({ sessionUpdate: 'tool_call', toolCallId, title: search, kind: 'search', status: 'in_progress' });
    let looked = 0;
    let last: Promise<unknown> = Promise.resolve();
    const progress = (_done: number, _total: number | undefined, message: string): void => {
      const content = [{ type: 'content' as const, content: { type: 'text' as const, text: message } }];
      last = last
        .then(() => this.#tell({ sessionUpdate: 'tool_call_update', toolCallId, content }))
        .then(async () => {
          if (performance.now() - looked < BETWEEN_PLANS_MS) return;
          await this.#plan(call, 'running');
          looked = performance.now();
        })
        .catch(() => undefined);
    };
    let status = 'failed' as 'completed' | 'failed';
    let state = 'running' as Status['state'];
    try {
      while (AT_WORK.has(state)) {
        const asked = { search, seconds: WAIT_S };
        const { data } = await this.#program.call('tree_wait', asked, { ...call, progress }, nobody);
        ({ state } = data as Status);
      }
      status = 'completed';
    } finally {
      await last;
      // Also of a search that was paused just now.
      const { signal } = new AbortController();
      await this.#plan({ signal }, state);
      await this.#tell({ sessionUpdate: 'tool_call_update', toolCallId, status });
      if (status === 'failed') await this.#outcome({ signal }, false);
    }
    await this.#outcome(call);
  }

  async #plan(call: ToolCall, state: Status['state']): Promise<void> {
    const asked = { search: this.#search, what: 'outline' };
    const { nodes = [] } = (await this.#program.call('tree_read', asked, call, nobody)).data as Read;
    const first = nodes.filter(({ node }) => !node.includes('/'));
    if (first.length === 0) return;
    const entries = first.map((row) => {
      const below = nodes.filter(({ node }) => node.startsWith(`${row.node}/`));
      return { content: entryOf(row), priority: priorityOf(row), status: planStatus(row, below, state) };
    });
    await this.#tell({ sessionUpdate: 'plan', entries });
  }

  /** Tells how the search is; with its report, if it has one. */
  async #outcome(call: ToolCall, withReport = true): Promise<void> {
    const search = this.#search;
    const status = (await this.#program.call('tree_status', { search }, call, nobody)).data as Status;
    const { nodes, spent, reason, title, answer, best } = status;
    const state = stateOf({ state: status.state, led: undefined });
    const figures = { progress: progressWords(progressOf(nodes)), calls: say.acpCalls({ count: spent.calls }) };
    const lines = [
      this.#inWords(say.acpOutcome({ title, state, ...figures, usd: spent.usd })),
      ...(reason === undefined ? [] : [reason]),
      ...(answer === undefined ? [] : [answer]),
      ...best.map(
        ({ node, title: named, score }) => `- ${named}${score === undefined ? '' : ` (${score}/10)`}: ${node}`,
      ),
    ];
    await this.#say(`${lines.join('\n')}\n`);
    if (!withReport || !status.has_report) return;
    // Its pages are cut anywhere, also within a mark.
    let report = '\n';
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page = (await this.#program.call('tree_read', { search, what: 'report', offset }, call, nobody))
        .data as Read;
      report += page.text;
      offset = page.next_offset;
    }
    await this.#say(report);
  }

  /**
   * Asks the person before money is spent, or something is removed.
   * @param also what else is asked of them, in a line
   * @throws ThoughtTreeError `declined`
   */
  #permit({ signal }: ToolCall, also?: string): (wanted: Wanted) => Promise<Permit> {
    return async ({ question, details, mostUsd }) => {
      const text = [question, ...(also === undefined ? [] : [also]), ...details].join('\n');
      const asked: RequestPermissionRequest = {
        sessionId: this.id,
        toolCall: allWithoutCommands({
          toolCallId: `permission-${++this.#count}`,
          title: text.replaceAll('\n', ' · '),
          kind: 'other',
          status: 'pending',
          content: [{ type: 'content', content: { type: 'text', text } }],
        }),
        options: [
          { optionId: 'allow', name: this.#inWords(say.acpAllow()), kind: 'allow_once' },
          { optionId: 'refuse', name: this.#inWords(say.acpRefuse()), kind: 'reject_once' },
        ],
      };
      const how = { cancellationSignal: signal, stopWaitingOnCancel: true };
      const { outcome } = await this.#client.request('session/request_permission', asked, how);
      // Before anything is begun or removed, also after a person has thought about it for long.
      ownSearches(this.#program.folders[0].workspace);
      if (outcome.outcome === 'selected' && outcome.optionId === 'allow' && !signal.aborted) return { mostUsd };
      throw new ThoughtTreeError('declined', say.notAllowed());
    };
  }

  /** Says something in Markdown of which nothing is loaded when it is shown. */
  async #say(markdown: string): Promise<void> {
    const text = this.#inert(withoutCommands(markdown));
    await this.#tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }

  /** Returns the next words of a message, inert also together with those before, as a client shows them. */
  #inert(text: string): string {
    const whole = this.#said + text;
    const safe = inertMarkdown(whole);
    // Told words cannot be taken back: where the rest makes them another text, no mark of the rest stays one.
    const more = safe.startsWith(this.#told)
      ? safe.slice(this.#told.length)
      : text.replace(/!\[|<(?=[a-z!/?])/gi, (mark) => (mark === '<' ? '&lt;' : '!\\['));
    this.#said = whole;
    this.#told += more;
    return more;
  }

  async #tell(update: SessionUpdate): Promise<void> {
    await this.#client.notify('session/update', { sessionId: this.id, update: allWithoutCommands(update) });
  }
}

/** Returns data for a client in which no text holds what a terminal or a reader's eye obeys. */
function allWithoutCommands<T extends object>(data: T): T {
  const safe = (_name: string, value: unknown): unknown => (typeof value === 'string' ? withoutCommands(value) : value);
  return JSON.parse(JSON.stringify(data), safe) as T;
}

/** The words that a prompt may begin with, after `/`. */
const COMMANDS = {
  status: say.acpStatus,
  report: say.acpReport,
  resume: say.acpResume,
  act: say.acpAct,
  new: say.acpNew,
  help: say.acpHelps,
};
type CommandName = keyof typeof COMMANDS;

/** What a prompt asks for: a command, also one of some that stand alone without `/`, or a sentence. */
function commandIn(text: string): { readonly command: CommandName | undefined; readonly rest: string } {
  const [, slash, word = '', rest = ''] = /^(\/)?(\S*)\s{0,100}(.*)$/s.exec(text) ?? [];
  const name = word.toLowerCase();
  const isKnown = Object.hasOwn(COMMANDS, name) && (name !== 'new' || rest !== '');
  if (slash !== undefined || text === '') return { command: isKnown ? (name as CommandName) : 'help', rest };
  const standsAlone = rest === '' && isKnown && name !== 'act';
  return standsAlone ? { command: name as CommandName, rest } : { command: undefined, rest: text };
}

/** Returns an object that is written as JSON; undefined if it is none. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Returns the words of a prompt; files that it names are told by their addresses. */
export function wordsOf(prompt: readonly ContentBlock[]): string {
  const words = prompt.flatMap((block) =>
    block.type === 'text' ? [block.text] : block.type === 'resource_link' ? [block.uri] : [],
  );
  return words.join('\n').trim();
}

const GIVEN_UP: ReadonlySet<string> = new Set(['failed', 'pruned']);

function entryOf({ title, status, score }: NodeRow): string {
  const said = [...(GIVEN_UP.has(status) ? [status] : []), ...(score === undefined ? [] : [`${score}/10`])];
  return oneLine(said.length > 0 ? `${title} (${said.join(', ')})` : title, 300);
}

/** The score from which on a node is what a person looks at first. */
const HIGH = 7;

function priorityOf({ status, score = 0 }: NodeRow): 'high' | 'medium' | 'low' {
  return GIVEN_UP.has(status) ? 'low' : score >= HIGH ? 'high' : 'medium';
}

/** Returns the state of a branch: at work as long as any of its nodes is, and done once its search leaves the rest of it. */
function planStatus(
  row: NodeRow,
  below: readonly NodeRow[],
  state: Status['state'],
): 'pending' | 'in_progress' | 'completed' {
  const has = (wanted: string): boolean => [row, ...below].some(({ status }) => status === wanted);
  if (has('in-progress')) return 'in_progress';
  return row.status === 'unexpanded' || (has('unexpanded') && state !== 'finished') ? 'pending' : 'completed';
}
