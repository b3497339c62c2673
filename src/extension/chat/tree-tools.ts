import * as vscode from 'vscode';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import type { Size } from '../../core/search/limits.ts';
import { withoutMissing } from '../../core/search/search-file.ts';
import { descriptorOf } from '../../engine/kind.ts';
import type { AgentHost, Permit, ToolAnswer, Wanted } from '../../searches/agent-tools/agent-host.ts';
import type { TreeToolName } from '../../searches/agent-tools/tool-descriptors.ts';
import { isFreeModel } from '../../searches/models/choose-model.ts';
import { loadSearches } from '../load-searches.ts';
import { messageText, withoutLinks } from '../message-text.ts';
import { notAllowed } from '../messages.ts';
import { limitsFor, settingsFor } from '../settings.ts';
import { forecastOf, withSize } from '../start/new-search.ts';
import { sizeItems } from '../start/sizes.ts';
import { beginningFor } from '../start/start-request.ts';
import { escaped } from './answer-sink.ts';
import { type HostParts, windowHost } from './window-host.ts';

type Input = Readonly<Record<string, unknown>>;

/** Cards that were shown and not answered yet: nobody has more of them open. */
const MOST_ASKED = 50;

/**
 * The tools over searches as the editor's agents get them: the same as those of the MCP server, carried out by this
 * window. What spends or removes is shown on the editor's own card first, with its forecast.
 */
export class TreeTools {
  readonly #parts: HostParts;
  /** The requests that were shown to a person, by the call. The editor calls only what they allowed. */
  readonly #asked = new Map<string, Wanted>();
  /** Calls whose model a person picked in the chat. */
  readonly #chosen = new Set<string>();
  /** The answers of calls, until whoever made them takes them. */
  readonly #answers = new Map<string, ToolAnswer>();

  constructor(parts: HostParts) {
    this.#parts = parts;
  }

  /** Returns the card before a call. */
  async prepare(name: TreeToolName, input: Input): Promise<vscode.PreparedToolInvocation> {
    const invocationMessage = messageFor(name, input);
    const { agentTools } = await loadSearches();
    // The call itself says what cannot be done.
    const host = this.#hostFor(name, input, refuse);
    const wanted = await agentTools
      .wanted(host, name, await this.#withSettings(name, input, host))
      .catch(() => undefined);
    const key = keyOf(name, input);
    this.#asked.delete(key);
    if (!wanted) return { invocationMessage };
    if (this.#asked.size >= MOST_ASKED) this.#asked.clear();
    this.#asked.set(key, wanted);
    return {
      invocationMessage,
      confirmationMessages: {
        title: withoutLinks(wanted.question),
        message: cardText([...wanted.details, ...limitLines(name, wanted)]),
      },
    };
  }

  /**
   * Carries out a call that the editor let through.
   * @throws Error in words for the agent
   */
  async invoke(
    name: TreeToolName,
    input: Input,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const key = keyOf(name, input);
    const shown = this.#asked.get(key);
    this.#asked.delete(key);
    try {
      const answer = await this.#run(name, input, signalOf(token), (wanted) => permitAfter(shown, wanted));
      if (this.#answers.size >= MOST_ASKED) this.#answers.clear();
      this.#answers.set(key, answer);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(answer.text)]);
    } catch (error) {
      throw new Error(messageText(toThoughtTreeError(error).say));
    }
  }

  /** Says before a call that a person picked its model. */
  chose(name: TreeToolName, input: Input): void {
    this.#chosen.add(keyOf(name, input));
  }

  /** Returns, once, what a call that was let through has answered; undefined if it was not made. */
  take(name: TreeToolName, input: Input): ToolAnswer | undefined {
    const key = keyOf(name, input);
    this.#chosen.delete(key);
    const answer = this.#answers.get(key);
    this.#answers.delete(key);
    return answer;
  }

  /**
   * Reads for the window itself, which nobody has to allow.
   * @param say is told the progress of what takes time
   * @throws ThoughtTreeError also if it would spend or remove something
   */
  async read(name: TreeToolName, input: Input, signal: AbortSignal, say?: (text: string) => void): Promise<ToolAnswer> {
    return await this.#run(name, input, signal, refuse, say);
  }

  async #run(
    name: TreeToolName,
    input: Input,
    signal: AbortSignal,
    permit: (wanted: Wanted) => Promise<Permit>,
    say?: (text: string) => void,
  ): Promise<ToolAnswer> {
    const { agentTools } = await loadSearches();
    const host = this.#hostFor(name, input, permit);
    const progress = (_done: number, _most: number | undefined, text: string): void => say?.(text);
    const answer = await agentTools.run(host, name, await this.#withSettings(name, input, host), { signal, progress });
    if (name === 'tree_start') await this.#parts.library.scan();
    return answer;
  }

  /** A new search goes as far as the person's settings and limits let it, where the caller says nothing. */
  async #withSettings(name: TreeToolName, input: Input, host: AgentHost): Promise<Input> {
    if (name !== 'tree_start') return input;
    const { maxDepth } = settingsFor(vscode.workspace.workspaceFolders?.[0]?.uri);
    const { kinds } = this.#parts;
    const size = input['size'] ?? (await fittingSize(host, input));
    const descriptor = typeof input['kind'] === 'string' ? descriptorOf(kinds, input['kind']) : kinds[0]?.descriptor;
    const depth = descriptor?.traits.depthFollows ? {} : { max_depth: maxDepth };
    return { ...depth, ...input, size };
  }

  #hostFor(name: TreeToolName, input: Input, permit: (wanted: Wanted) => Promise<Permit>): AgentHost {
    const chosen = this.#chosen.has(keyOf(name, input)) ? String(input['model']) : undefined;
    return windowHost(this.#parts, permit, chosen);
  }
}

/** Returns the size that a person is offered first: the usual one, if the search is expected to end within their limits. */
async function fittingSize({ kinds, models }: AgentHost, input: Input): Promise<Size> {
  const settings = settingsFor(vscode.workspace.workspaceFolders?.[0]?.uri);
  try {
    const { question, ...given } = input as Partial<Record<string, string>>;
    const { model: usual, judge: judging } = models.usual();
    const asked = { prompt: String(question), ...withoutMissing({ model: usual, judge: judging, ...given }) };
    const beginning = beginningFor(
      asked,
      kinds.map(({ descriptor }) => descriptor),
    );
    const { model, judge, descriptor } = beginning;
    const items = await sizeItems({
      usual: settings.size,
      words: descriptor.words,
      isFree: isFreeModel(model),
      limitsFor: () => limitsFor(settings, model, judge),
      forecast: (size) => forecastOf(kinds, withSize(beginning, size), models.facts),
    });
    return items.find(({ isBest }) => isBest)?.size ?? settings.size;
  } catch {
    // The call itself says what is wrong.
    return settings.size;
  }
}

function keyOf(name: string, input: Input): string {
  return JSON.stringify([name, input]);
}

async function refuse(): Promise<never> {
  throw new ThoughtTreeError('declined', notAllowed());
}

/**
 * The permission of the card that was shown. Where none was, or it said less than what is wanted now, the person is asked.
 * @throws ThoughtTreeError `declined`
 */
async function permitAfter(shown: Wanted | undefined, wanted: Wanted): Promise<Permit> {
  const most = ({ mostUsd }: Wanted): number => mostUsd ?? Number.POSITIVE_INFINITY;
  const isShown =
    shown?.question === wanted.question && most(wanted) <= most(shown) && factsOf(shown) === factsOf(wanted);
  if (!isShown) {
    const yes = vscode.l10n.t('Allow');
    const options = { modal: true, detail: wanted.details.join('\n') };
    if ((await vscode.window.showWarningMessage(withoutLinks(wanted.question), options, yes)) !== yes) await refuse();
  }
  return wanted.mostUsd === undefined ? {} : { mostUsd: wanted.mostUsd };
}

/** Returns what else a person agreed to: a search that ran when its card was shown may rest by now, and so spend. */
function factsOf({ spends, removes, models, areModelsOwn, isPriced, isElsewhere }: Wanted): string {
  return JSON.stringify([spends, removes, models, areModelsOwn, isPriced, isElsewhere]);
}

/** Makes a card's text, with a model's or a folder's as it is. `appendText` would keep its lines from wrapping. */
function cardText(lines: readonly string[]): vscode.MarkdownString {
  return new vscode.MarkdownString(lines.map((line) => `- ${escaped(line)}`).join('\n'));
}

/** Calls of the editor's own models count against a plan, so that the window's settings limit their number. */
function limitLines(name: TreeToolName, { models = [], isPriced }: Wanted): string[] {
  if (name !== 'tree_start' || isPriced) return [];
  const { calls } = limitsFor(settingsFor(vscode.workspace.workspaceFolders?.[0]?.uri), ...models);
  return calls === undefined ? [] : [vscode.l10n.t('It pauses after {0} calls, even if more are forecast.', calls)];
}

function messageFor(name: TreeToolName, { action }: Input): string {
  switch (name) {
    case 'tree_start':
      return vscode.l10n.t('Starting a tree search');
    case 'tree_wait':
      return vscode.l10n.t('Waiting for a tree search');
    case 'tree_act':
      return action === undefined
        ? vscode.l10n.t('Looking at what can be done')
        : vscode.l10n.t('Steering a tree search');
    default:
      return vscode.l10n.t('Reading tree searches');
  }
}

/** Returns a token of the editor as a signal. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const stop = new AbortController();
  if (token.isCancellationRequested) stop.abort();
  token.onCancellationRequested(() => stop.abort());
  return stop.signal;
}
