import * as vscode from 'vscode';
import type { ActionCall } from '../../core/actions/action-call.ts';
import { type ActionDescriptor, type ArgDescriptor, maySpend } from '../../core/actions/action-descriptor.ts';
import { notJson } from '../../core/actions/messages.ts';
import type { KindTerms } from '../../core/kind/kind-descriptor.ts';
import type { Message } from '../../core/messages/message.ts';
import { isThoughtTreeError, type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import type { Limits, SpendLimit } from '../../core/search/limits.ts';
import { raiseWords } from '../../core/search/messages.ts';
import { type LimitReached, raisedLimits, raisedTo } from '../../core/search/record/search-state.ts';
import { withoutMarks } from '../../core/text/short-label.ts';
import { oneLine, withoutCommands } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import type { Place } from '../../searches/place.ts';
import { limitOf, readNodeFacts } from '../../searches/reader/action-facts.ts';
import type { NodeTarget } from '../commands/command-table.ts';
import { SELECTION } from '../commands/contributed-commands.ts';
import type { Targets } from '../commands/targets.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchRunner } from '../library/search-runner.ts';
import { messageText, translated, withoutLinks, wordsOf } from '../message-text.ts';
import { notWithThisSearch, restricted } from '../messages.ts';
import { aboutSearch, tellBriefly } from '../tell-error.ts';
import { BY } from '../work/offers-by-hand.ts';
import type { AvailableActions } from './available-actions.ts';
import { ONLY_SHOWING } from './editor-actions.ts';

/** The editor's own part of an action, in addition to or instead of the engine, by the action's name. */
export type OwnActions = Readonly<Record<string, (search: FollowedSearch, path: string) => Promise<void>>>;

/** Asks what has to be asked before a search continues; what is returned continues it. Undefined if a person declined. */
export type ToContinue = (search: FollowedSearch) => Promise<(() => Promise<void>) | undefined>;

interface ActionParts {
  readonly kinds: Kinds;
  readonly available: AvailableActions;
  readonly runner: SearchRunner;
  readonly targets: Targets;
  readonly toContinue: ToContinue;
  /** Reckons what the size of a search needs of the limit that it rests at. */
  readonly needOf: (search: FollowedSearch) => Promise<LimitReached | undefined>;
  /** Tells the views that it is known. */
  readonly tell: (search: FollowedSearch) => void;
  /** Tells whether a view shows what is done to a search. */
  readonly isSeen: (folder: string) => boolean;
}

/** The time for which the status bar offers to take back what was done, in milliseconds. */
const UNDO_MS = 8000;

/** Carries out actions by name, whichever menu, key or view was used. */
export class ActionCommands {
  readonly #kinds: Kinds;
  readonly #available: AvailableActions;
  readonly #runner: SearchRunner;
  readonly #targets: Targets;
  readonly #toContinue: ToContinue;
  readonly #need: Pick<ActionParts, 'needOf' | 'tell'>;
  readonly #isSeen: ActionParts['isSeen'];
  #undoing: vscode.Disposable | undefined;
  readonly #own: OwnActions;

  constructor({ kinds, available, runner, targets, toContinue, needOf, tell, isSeen }: ActionParts, own: OwnActions) {
    this.#kinds = kinds;
    this.#available = available;
    this.#runner = runner;
    this.#targets = targets;
    this.#toContinue = toContinue;
    this.#need = { needOf, tell };
    this.#isSeen = isSeen;
    this.#own = own;
  }

  /**
   * On the element the command was called with; without one, asks for it. The key that prunes a node deletes a search, once the
   * person agrees.
   */
  async run(name: string, target?: Partial<NodeTarget> | typeof SELECTION): Promise<void> {
    const descriptor = this.#available.all[name];
    if (!descriptor) return;
    if (descriptor.on === 'search') {
      const { folder } = (target === SELECTION ? this.#targets.selected : target) ?? {};
      const named = folder === undefined ? undefined : { folder };
      if (!named && target === SELECTION) return;
      const fits = (each: FollowedSearch): boolean => this.#available.isOnSearch(each, name);
      const isSure = !ONLY_SHOWING.has(name);
      const search = await this.#targets.search(named, { fits, what: translated(descriptor.title), isSure });
      if (search && (name !== 'raise' || (await this.#agreesToNeed(search)))) await this.act(search, '', name);
      return;
    }
    const whole = name === 'prune' && target === SELECTION ? this.#targets.selectedSearch : undefined;
    if (whole) return void (await vscode.commands.executeCommand('thoughtTree.deleteSearch', whole));
    const found = await this.#targets.node(target as NodeTarget | typeof SELECTION | undefined, name);
    if (found) await this.act(found.search, found.path, name);
  }

  /**
   * On a node of a search, or on the whole search if the path is empty.
   * @param given the arguments; by default the person is asked, or the editor does it in its own way
   * @throws ThoughtTreeError saying why not
   */
  async act(search: FollowedSearch, path: string, name: string, given?: object): Promise<void> {
    try {
      await this.#act(search, path, name, given);
    } catch (error) {
      throw aboutSearch(error, search.title);
    }
  }

  async #act(search: FollowedSearch, path: string, name: string, given?: object): Promise<void> {
    const descriptor = this.#available.descriptorsFor(search)[name];
    if (!descriptor) throw new ThoughtTreeError('bad-input', notWithThisSearch());
    if (path === '' && descriptor.on === 'node') {
      tellBriefly(search.title, translated(wordsOf(this.#kinds, search).notOneNode));
      return;
    }
    await this.#check(search, path, descriptor);
    const own = this.#own[name];
    if (own && !given) return await own(search, path);
    const args = given ?? (await askArguments(descriptor, await titleAt(search, path), wordsOf(this.#kinds, search)));
    if (!args) return;
    const call = { action: name, ...(descriptor.on === 'search' ? {} : { node: path }), ...args };
    const place = this.#targets.placeOf(search);
    if (descriptor.asksFirst && !(await this.#agreesTo(search, descriptor, call))) return;
    // First: nothing has changed if the person then declines.
    const starts = descriptor.startsRun && !isLowering(search, call);
    const go = starts && !search.isActive ? await this.#toContinue(search) : nothing;
    if (!go) return;
    const wasCovered = search.record.isReportCurrent;
    const done = await this.#runner.act(place, call).catch((error: unknown) => this.#actAllTheSame(place, call, error));
    if (!done) return;
    await search.refresh(); // this window may just have held a search that nobody runs, for the action alone
    const isRunNext = starts && !search.isActive;
    if (isRunNext) tellBriefly(search.title, messageText(done));
    else this.#tellDone(search, descriptor, { said: messageText(done), wasCovered });
    if (isRunNext) await (go === nothing ? await this.#toContinue(search) : go)?.();
  }

  /** Learns what the size of a search needs of the limit that it rests at, once: its buttons then name that figure. */
  async learnNeed(search: FollowedSearch): Promise<void> {
    const reached = limitOf(search);
    if (!reached || reached === search.needed) return;
    // Whoever asks meanwhile sees what the buttons say until then.
    search.needed = reached;
    search.needed = await this.#need.needOf(search);
    this.#need.tell(search);
  }

  /** Asks before a button without a figure, as in a row, raises a limit to more than twice of it. */
  async #agreesToNeed(search: FollowedSearch): Promise<boolean> {
    const isTold = limitOf(search) === search.needed;
    await this.learnNeed(search);
    const reached = limitOf(search);
    if (isTold || !reached || raisedTo(reached) <= raisedTo({ guard: reached.guard, limit: reached.limit }))
      return true;
    const yes = messageText(raiseWords[reached.guard]({ limit: raisedTo(reached) }));
    const detail = vscode.l10n.t('That is what its size is expected to need.');
    return (await vscode.window.showWarningMessage(oneLine(search.title, 100), { modal: true, detail }, yes)) === yes;
  }

  /** Raises the limit that a search rests at, and continues it. */
  async raise(search: FollowedSearch): Promise<void> {
    const limitReached = limitOf(search);
    if (limitReached) await this.#act(search, '', 'grow', { guards: raisedLimits(limitReached) });
  }

  /** Works next on open nodes in a branch, which the person picks, in their order. */
  async expandBelow(search: FollowedSearch, path: string): Promise<void> {
    const { menus } = await import('../commands/menus.ts');
    const paths = await menus.pickBelow(search, path);
    const go = paths && paths.length > 0 && (search.isActive ? nothing : await this.#toContinue(search));
    if (!go) return;
    const place = this.#targets.placeOf(search);
    let next = 0;
    let refusal: unknown;
    for (const node of paths)
      try {
        await this.#runner.act(place, { action: 'expand', node });
        next++;
      } catch (error) {
        // One that was worked on while the person picked keeps no other from its turn.
        if (!isThoughtTreeError(error, 'bad-input')) throw error;
        refusal = error;
      }
    if (next === 0) throw refusal;
    await search.refresh();
    tellBriefly(search.title, vscode.l10n.t('Next in this branch: {0}', next));
    if (!search.isActive) await (go === nothing ? await this.#toContinue(search) : go)?.();
  }

  /** Tells what was done, with a button that takes it back, and one that writes a report that does not know of it anew. */
  #tellDone(
    search: FollowedSearch,
    { name, startsRun }: ActionDescriptor,
    { said, wasCovered }: { readonly said: string; readonly wasCovered: boolean },
  ): void {
    const isStale =
      wasCovered && !startsRun && !search.record.isReportCurrent && this.#available.isOnSearch(search, 'report');
    const undo = vscode.l10n.t('Undo');
    const rewrite = vscode.l10n.t('Rewrite Report');
    const buttons = [...(WITH_UNDO.has(name) ? [undo] : []), ...(isStale ? [rewrite] : [])];
    if (isStale || buttons.length === 0) tellBriefly(search.title, said);
    if (buttons.length === 0) return;
    if (!isStale && this.#isSeen(search.folder)) {
      this.#offerUndo(search, said);
      return;
    }
    const title = oneLine(search.title, 100);
    const text = isStale ? vscode.l10n.t('The report of "{0}" does not cover this yet.', title) : `"${title}": ${said}`;
    const { folder } = search;
    // It is done, whether or not somebody answers.
    void vscode.window.showInformationMessage(withoutLinks(oneLine(text, 300)), ...buttons).then((answer) => {
      if (answer === rewrite) void vscode.commands.executeCommand('thoughtTree.report', { folder });
      if (answer === undo) void vscode.commands.executeCommand('thoughtTree.undo', { folder });
    });
  }

  /** Says for a moment what was done, where a click takes it back: what a view shows needs no notice. */
  #offerUndo({ title, folder }: FollowedSearch, said: string): void {
    this.#undoing?.dispose();
    const item = vscode.window.createStatusBarItem('thoughtTree.undo', vscode.StatusBarAlignment.Left);
    const undo = vscode.l10n.t('Undo');
    item.name = undo;
    item.text = `$(discard) ${oneLine(`"${oneLine(title, 60)}": ${said}`, 200).replaceAll('$(', '$ (')}`;
    item.tooltip = undo;
    item.command = { title: undo, command: 'thoughtTree.undo', arguments: [{ folder }] };
    item.show();
    this.#undoing = item;
    setTimeout(() => item.dispose(), UNDO_MS).unref();
  }

  /** @throws ThoughtTreeError if it cannot be done now; the engine checks again when it does it */
  async #check(search: FollowedSearch, path: string, descriptor: ActionDescriptor): Promise<void> {
    if (maySpend(descriptor) && !vscode.workspace.isTrusted) throw new ThoughtTreeError('declined', restricted());
    const refusal = await this.#available.refusal(search, path, descriptor);
    if (refusal) throw new ThoughtTreeError('bad-input', refusal);
  }

  /** Shows what an action would do, and asks. */
  async #agreesTo(search: FollowedSearch, descriptor: ActionDescriptor, call: ActionCall): Promise<boolean> {
    const place = this.#targets.placeOf(search);
    const { ok, say, value, reason } = await this.#runner.outcome(place, { ...call, dryRun: true }, { by: BY });
    if (!ok) throw new ThoughtTreeError((reason as Reason | undefined) ?? 'bad-input', say);
    const { text } = (value ?? {}) as { readonly text?: unknown };
    const said = messageText(say);
    const question = `"${oneLine(search.title, 100)}": ${said}`;
    const detail = typeof text === 'string' && text !== said ? withoutCommands(text.slice(0, 3000)) : '';
    const yes = translated(descriptor.title).replace(/…$/, '');
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
  }

  /** Asks before a document that a person edited is replaced. */
  async #actAllTheSame(place: Place, call: ActionCall, error: unknown): Promise<Message | undefined> {
    if (!isThoughtTreeError(error, 'edited')) throw error;
    const yes = vscode.l10n.t('Rewrite');
    const detail = vscode.l10n.t('Your version is kept, not deleted.');
    const answer = await vscode.window.showWarningMessage(messageText(error.say), { modal: true, detail }, yes);
    return answer === yes ? await this.#runner.act(place, { ...call, force: true }) : undefined;
  }
}

async function nothing(): Promise<void> {}

/** Acts that ask no model by themselves, so that they can be taken back. */
const WITH_UNDO: ReadonlySet<string> = new Set(['prune', 'restore', 'expand', 'add', 'note', 'combine', 'reconsider']);

type Args = Readonly<Record<string, unknown>>;

/** Returns the title of a node, or of the search as a whole. */
async function titleAt(search: FollowedSearch, path: string): Promise<string> {
  const node = path === '' ? undefined : await readNodeFacts(search, path);
  return node?.title ?? search.title;
}

/**
 * The arguments of an action, asked from the person; undefined if they cancel.
 * @param title of what it is done to
 */
export async function askArguments(
  descriptor: ActionDescriptor,
  title: string,
  words: KindTerms,
): Promise<Args | undefined> {
  const args: Record<string, unknown> = {};
  for (const arg of descriptor.args.filter(({ required }) => required)) {
    if (arg.type === 'choice' || arg.type === 'boolean') {
      const chosen = await choose(descriptor, arg);
      if (chosen === undefined) return undefined;
      args[arg.name] = chosen;
      continue;
    }
    const text = await vscode.window.showInputBox({
      ...wordsFor(descriptor, arg, title, words),
      ignoreFocusOut: true,
      validateInput: (typed) =>
        typed.trim() && valueFrom(arg, typed) === undefined ? messageText(notJson()) : undefined,
    });
    if (!text?.trim()) return undefined;
    args[arg.name] = valueFrom(arg, text);
  }
  return args;
}

async function choose(descriptor: ActionDescriptor, { type, choices = [], help }: ArgDescriptor): Promise<unknown> {
  const items =
    type === 'boolean'
      ? [
          { label: vscode.l10n.t('Yes'), value: true },
          { label: vscode.l10n.t('No'), value: false },
        ]
      : choices.map((value) => ({ label: translated(value), value }));
  const how = { title: translated(descriptor.title), placeHolder: translated(help), ignoreFocusOut: true };
  return (await vscode.window.showQuickPick<{ label: string; value: unknown }>(items, how))?.value;
}

/** Returns the typed text as the action's argument; undefined if it is unreadable. */
function valueFrom({ type }: ArgDescriptor, typed: string): unknown {
  if (type !== 'json') return type === 'integer' || type === 'number' ? Number(typed) : typed.trim();
  try {
    return JSON.parse(typed);
  } catch {
    return undefined;
  }
}

function wordsFor(
  descriptor: ActionDescriptor,
  arg: ArgDescriptor,
  title: string,
  words: KindTerms,
): { title: string; prompt: string } {
  if (descriptor.name === 'add') return { title: translated(words.addNode), prompt: translated(words.addPrompt) };
  if (descriptor.name === 'note')
    return {
      title: vscode.l10n.t('Note to "{0}"', oneLine(withoutMarks(title), 80)),
      prompt: vscode.l10n.t('It becomes part of every later prompt there.'),
    };
  return { title: translated(descriptor.title), prompt: translated(arg.help) };
}

/** Tells whether an action only limits a search further: that alone is no reason to continue it. */
function isLowering({ limits }: FollowedSearch, { action, ...args }: ActionCall): boolean {
  const { guards, ...others } = args as Partial<Limits>;
  if (action !== 'grow' || !guards || !limits || Object.keys(others).length > 0) return false;
  const now = limits.guards;
  return (Object.keys(guards) as SpendLimit[]).every((guard) => (guards[guard] ?? 0) <= (now[guard] ?? Infinity));
}
