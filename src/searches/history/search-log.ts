import { type Message, messageOf } from '../../core/messages/message.ts';
import { FOUND, type JournalEvent } from '../../core/search/events.ts';
import { oneLine } from '../../core/text/text.ts';
import { joinedPath } from '../../core/tree/slug.ts';
import { nodeAt } from '../../core/tree/tree.ts';
import { TreeRecord } from '../../core/tree/tree-record.ts';
import type { MarkKind } from '../../protocol/graph-timeline.ts';
import * as say from './messages.ts';

/** One thing that happened to a search. */
export interface LogEntry {
  /** The number of its event, with which `DIR@NUMBER` is the search right after it. */
  readonly seq: number;
  /** ISO 8601, in UTC. */
  readonly time: string;
  /** Who did it, if not the search itself. */
  readonly by: string | undefined;
  /** A person did it. */
  readonly isPersons: boolean;
  /** The slug path of the node that it happened to. */
  readonly node: string | undefined;
  readonly say: Message;
}

/** Who asks by the words of this program's own hosts is a person; others are agents, by the names of their programs. */
const PERSONS: ReadonlySet<string> = new Set(['terminal', 'vscode', 'chat', FOUND.byHand, FOUND.onOpening]);

/** Makes a line when it is needed: most are never read. */
type Words = () => Message;

/** The line of an event, before it is put into words. */
interface Line extends Omit<LogEntry, 'say'> {
  readonly words: Words;
}

/** Puts what happens into words, event by event, and tells the tree as it goes; what only the search needs to know has none. */
class LogFold {
  readonly #told: TreeRecord;
  /** The texts that were there before. */
  readonly #files: Set<string>;

  /** @param told the tree before the first event that this is told of */
  constructor(told: TreeRecord, files: Iterable<string> = []) {
    this.#told = told;
    this.#files = new Set(files);
  }

  get files(): string[] {
    return [...this.#files];
  }

  /** Takes an event, also into the tree, and returns its line. */
  apply(event: JournalEvent): Line | undefined {
    const { tree } = this.#told;
    const titleOf = (path: string): string => oneLine(nodeAt(tree, path)?.title ?? path, 200);
    const before = event.type === 'node-removed' ? titleOf(event.node) : '';
    this.#told.apply(event);
    // Nobody changed anything that was there when a search was first opened.
    const isFirst = event.type === 'text-written' && !this.#files.has(event.file);
    if (event.type === 'text-written') this.#files.add(event.file);
    if (isFirst && event.by === FOUND.onOpening) return undefined;
    const words = wordsFor(event, titleOf, before);
    if (!words) return undefined;
    const by = 'by' in event ? event.by : undefined;
    const node = 'node' in event ? event.node : undefined;
    const isPersons = by !== undefined && PERSONS.has(by);
    return { seq: event.seq, time: event.time, by, isPersons, node, words };
  }
}

/**
 * Returns what the search and people did, a line each, in the order of the journal; what only the search needs to know
 * is left out.
 */
export function logOf(title: string, journal: Iterable<JournalEvent>): LogEntry[] {
  const log = new LogFold(new TreeRecord(title));
  const entries: LogEntry[] = [];
  for (const event of journal) {
    const line = log.apply(event);
    // In the words of then: titles change.
    if (line) entries.push(entryOf(line));
  }
  return entries;
}

function entryOf({ words, ...line }: Line): LogEntry {
  return { ...line, say: words() };
}

function wordsFor(event: JournalEvent, titleOf: (path: string) => string, before: string): Words | undefined {
  switch (event.type) {
    case 'search-started':
      return () => say.started({ model: event.model });
    case 'search-resumed':
      return () => say.resumed({ model: event.model });
    case 'search-paused':
      return () => messageOf(event.message, event.say);
    case 'search-finished':
      return () => (event.message === undefined ? say.finished() : messageOf(event.message, event.say));
    case 'steered':
      return () => messageOf(event.message, event.say);
    case 'forked':
      return () => say.forkedHere(event.from);
    case 'adopted':
      return () => say.adopted();
    case 'picked':
      return () => say.ranked({ count: event.ranking.length });
    case 'node-added':
      return event.children.length === 0
        ? undefined
        : () => say.added({ count: event.children.length, title: titleOf(event.node) });
    case 'node-removed':
      return () => say.removed({ title: before });
    case 'node-moved':
      return () => say.moved({ title: titleOf(event.node), from: event.from, to: event.node });
    case 'node-order':
      return () => say.reordered({ title: titleOf(event.node) });
    case 'node-status':
      return statusWords(event, () => titleOf(event.node));
    case 'text-written':
      if (event.by === undefined && event.file !== 'report.md') return undefined;
      return () =>
        (event.text === undefined ? say.fileGone : event.by === undefined ? say.fileWritten : say.fileChanged)({
          file: event.file,
        });
    default:
      return undefined;
  }
}

function statusWords(event: Extract<JournalEvent, { type: 'node-status' }>, title: () => string): Words | undefined {
  const { status, was, by } = event;
  const isHand = by === FOUND.byHand || by === FOUND.onOpening;
  if (isHand && event.document !== undefined) return () => say.documentEdited({ title: title() });
  if (isHand && event.gone?.includes('document')) return () => say.documentRemoved({ title: title() });
  if (isHand && was === undefined) return () => say.edited({ title: title() });
  if (was === undefined) return undefined;
  if (status === 'expanded' || status === 'leaf')
    return was === 'pruned' ? () => say.restored({ title: title() }) : () => say.done({ title: title() });
  if (status === 'failed')
    return () =>
      say.failed({ title: title(), why: event.failure ? messageOf(event.failure.message, event.failure.say) : '' });
  if (status === 'pruned') return () => say.pruned({ title: title() });
  return status === 'unexpanded' && was !== 'in-progress' ? () => say.opened({ title: title() }) : undefined;
}

/** All that events of interest follow from, besides the tree. */
export interface InterestState {
  readonly files: readonly string[];
  /** The best score that was news. */
  readonly best: number | undefined;
  readonly usd: number;
  readonly tokens: number;
  /** The last thing that happened, in words. */
  readonly said: Message | undefined;
}

/** A score is news if it is the best by so much, or differs by so much from the node's last one; of 10. */
const BETTER = 0.5;
const OTHERWISE = 2;
/** The first sums that are news, in US dollars and in tokens; then each of 1, 2, 5, 10, … times as much. */
const FIRST_USD = 0.01;
const FIRST_TOKENS = 10_000;

/** Finds the events that a person may look for, event by event, and puts into words what happened last. */
export class EventsOfInterest {
  readonly #told: TreeRecord;
  readonly #log: LogFold;
  #best: number | undefined;
  #usd: number;
  #tokens: number;
  #said: Words | undefined;

  /** @param told the tree before the first event that this is told of: it takes part in each */
  constructor(told: TreeRecord, { files = [], best, usd = 0, tokens = 0, said }: Partial<InterestState> = {}) {
    this.#told = told;
    this.#log = new LogFold(told, files);
    this.#best = best;
    this.#usd = usd;
    this.#tokens = tokens;
    this.#said = said && (() => said);
  }

  get state(): InterestState {
    return { files: this.#log.files, best: this.#best, usd: this.#usd, tokens: this.#tokens, said: this.said };
  }

  /** The last thing that happened, in words; undefined before there was any. */
  get said(): Message | undefined {
    return this.#said?.();
  }

  /** Takes an event, also into the tree, and returns why somebody may look for it. */
  apply(event: JournalEvent): MarkKind | undefined {
    const before = event.type === 'node-status' && event.evaluation ? this.#scoreAt(event.node) : undefined;
    const line = this.#log.apply(event);
    const own = this.#solved(event) ?? this.#scored(event, before) ?? this.#paid(event) ?? stopped(event);
    this.#said = own?.words ?? line?.words ?? this.#said;
    return own?.kind ?? (line && kindOf(event, line));
  }

  #scoreAt(path: string): number | undefined {
    return nodeAt(this.#told.tree, path)?.evaluation?.score;
  }

  #titleAt(path: string): string {
    return oneLine(nodeAt(this.#told.tree, path)?.title ?? path, 200);
  }

  #solved(event: JournalEvent): Interest | undefined {
    if (event.type !== 'node-status' || event.leafReason !== 'solved' || event.was === undefined) return undefined;
    return { kind: 'result', words: () => say.solved({ title: this.#titleAt(event.node) }) };
  }

  #scored(event: JournalEvent, before: number | undefined): Interest | undefined {
    const { node, score } = bestScoreIn(event) ?? {};
    if (node === undefined || score === undefined) return undefined;
    if (score >= (this.#best ?? 0) + BETTER) {
      this.#best = score;
      return { kind: 'score', words: () => say.bestScore({ title: this.#titleAt(node), score }) };
    }
    if (before === undefined || Math.abs(score - before) < OTHERWISE) return undefined;
    return { kind: 'score', words: () => say.scoreChanged({ title: this.#titleAt(node), before, score }) };
  }

  #paid(event: JournalEvent): Interest | undefined {
    if (event.type === 'budget-changed') return { kind: 'money', words: say.limitsChanged };
    if (event.type !== 'call-ended' || !event.usage) return undefined;
    const { usd = 0, prompt, completion } = event.usage;
    const [usdBefore, tokensBefore] = [this.#usd, this.#tokens];
    this.#usd += usd;
    this.#tokens += prompt + completion;
    const dollars = sumPassed(usdBefore, this.#usd, FIRST_USD);
    if (dollars !== undefined) return { kind: 'money', words: () => say.spentUsd({ usd: dollars }) };
    // Where prices are known, they say more.
    const tokens = this.#usd > 0 ? undefined : sumPassed(tokensBefore, this.#tokens, FIRST_TOKENS);
    return tokens === undefined ? undefined : { kind: 'money', words: () => say.spentTokens({ tokens }) };
  }
}

interface Interest {
  readonly kind: MarkKind;
  readonly words: Words;
}

/** Returns the best score that an event tells, with the path of its node. */
function bestScoreIn(event: JournalEvent): { readonly node: string; readonly score: number } | undefined {
  if (event.type === 'node-status' && event.evaluation) return { node: event.node, score: event.evaluation.score };
  if (event.type !== 'node-added') return undefined;
  let best: { node: string; score: number } | undefined;
  for (const { slug, score, evaluation } of event.children) {
    const own = evaluation?.score ?? score;
    if (own !== undefined && (!best || own > best.score)) best = { node: joinedPath(event.node, slug), score: own };
  }
  return best;
}

/** Returns the largest sum of the row 1, 2, 5, 10, 20, … that was passed, from a first one on; undefined if none was. */
function sumPassed(before: number, after: number, first: number): number | undefined {
  if (after < first) return undefined;
  const unit = 10 ** Math.floor(Math.log10(after));
  const sum = [5, 2, 1].map((digit) => Number((digit * unit).toPrecision(1))).find((each) => each <= after);
  return sum !== undefined && before < sum ? sum : undefined;
}

/** A search that cannot go on for now has no line in the log before somebody stops it. */
function stopped(event: JournalEvent): Interest | undefined {
  if (event.type !== 'search-waiting' || event.reason === 'offers') return undefined;
  return { kind: 'failure', words: () => messageOf(event.message, event.say) };
}

function kindOf(event: JournalEvent, { isPersons }: Line): MarkKind | undefined {
  switch (event.type) {
    case 'search-finished':
      return 'result';
    case 'search-started':
    case 'search-resumed':
    case 'forked':
    case 'adopted':
      return 'run';
    case 'search-paused':
      if (event.reason === 'user') return 'run';
      return event.reason === 'budget' ? 'money' : 'failure';
    case 'steered':
      return 'act';
    case 'node-removed':
      return 'pruned';
    case 'node-status':
      if (event.status === 'failed' && event.was !== undefined) return 'failure';
      if (event.status === 'pruned' && event.was !== undefined) return 'pruned';
      return isPersons ? 'act' : undefined;
    default:
      return isPersons ? 'act' : undefined;
  }
}
