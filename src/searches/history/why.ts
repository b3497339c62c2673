import type { Message } from '../../core/messages/message.ts';
import type { Purposes } from '../../core/ports/model.ts';
import { FOUND, type JournalEvent } from '../../core/search/events.ts';
import { withPresentPaths } from '../../core/search/record/nodes-seen.ts';
import { joinedPath, parentPath } from '../../core/tree/slug.ts';
import * as say from './messages.ts';

/** The call behind something. */
interface CauseCall {
  readonly call: string;
  readonly purpose: string;
  /** The node that it was made for, by slug path, and which of that node's calls it is: `show DIR NODE --call NUMBER`. */
  readonly node: string;
  readonly number: number;
  readonly tokens: number;
  readonly usd: number | undefined;
}

/** Why something about a node is as it is: the event that made it so, and the call or the person behind that. */
export interface Cause {
  readonly of: 'node' | 'document' | 'score' | 'chosen' | 'status' | 'act' | 'cost';
  readonly event: number;
  readonly time: string;
  readonly say: Message;
  readonly by: string | undefined;
  readonly call: CauseCall | undefined;
}

/** The calls that only cost something are told, at most: the last ones. */
const MOST_COSTS = 100;

/**
 * Returns what the journal says of why a node is there and as it is: of each thing the last cause, every act of a person, and
 * every other call that was paid for it.
 * @param path slug path; empty for the search as a whole, whose document is its report
 * @param purposes those of its kind
 */
export function whyOf(journal: Iterable<JournalEvent>, path: string, purposes: Purposes = {}): Cause[] {
  const causes = new Map<string, Cause>();
  const costs: Cause[] = [];
  const calls = new EndedCalls();
  let atEnd: CauseCall | undefined;
  const parent = parentPath(path);
  let isOpen = true;
  const toldOf = (of: Cause['of'], event: JournalEvent, words: Message, call?: CauseCall): Cause => {
    const by = 'by' in event ? event.by : undefined;
    const { seq, time } = event;
    return { of, event: seq, time, say: words, by, call: by === undefined ? call : undefined };
  };
  const cause = (of: Cause['of'], event: JournalEvent, words: Message, call?: CauseCall): void => {
    causes.set(of === 'act' ? `act ${event.seq}` : of, toldOf(of, event, words, call));
  };
  for (const event of withPresentPaths([...journal])) {
    const ended = calls.apply(event);
    if (ended?.node === path && ended.tokens > 0) costs.push(toldOf('cost', event, say.paidFor(), ended));
    if (ended?.node === '' && purposes[ended.purpose]?.when === 'end') atEnd = ended;
    if (event.type === 'node-added' && event.node === parent) {
      const child = event.children.find(({ slug }) => joinedPath(parent, slug) === path);
      const call = calls.last(parent);
      if (child) cause('node', event, event.by === undefined ? say.listedThere() : say.addedThere(), call);
      const score = child?.evaluation?.score ?? child?.score;
      if (score !== undefined) cause('score', event, say.scored({ score }), calls.last(path) ?? call);
    } else if (event.type === 'picked' && isOpen && event.ranking.includes(path)) {
      const place = event.ranking.indexOf(path) + 1;
      cause('chosen', event, say.chosenAs({ place, count: event.ranking.length }), calls.last(''));
    } else if (event.type === 'text-written' && path === '' && event.file === 'report.md') {
      cause('document', event, say.fileWritten(event), atEnd);
      atEnd = undefined; // the next report may be made without a call
    } else if (event.type === 'steered' && event.node === path) {
      cause('act', event, say.actedOn({ action: event.action }));
    } else if (event.type === 'node-status' && event.node === path) {
      const isHand = event.by === FOUND.byHand || event.by === FOUND.onOpening;
      if (event.document !== undefined)
        cause('document', event, isHand ? say.writtenByHand() : say.written(), calls.last(path) ?? calls.last(parent));
      if (event.evaluation) cause('score', event, say.scored(event.evaluation), calls.last(path) ?? calls.last(parent));
      if (event.was !== undefined) cause('status', event, say.becameStatus({ status: event.status }), calls.last(path));
      isOpen = event.status === 'unexpanded';
    }
  }
  const told = new Set(Array.from(causes.values(), ({ call }) => call?.call));
  const others = costs.filter(({ call }) => !told.has(call?.call)).slice(-MOST_COSTS);
  return [...causes.values(), ...others].sort((a, b) => a.event - b.event);
}

/** The last call with an answer for each node, also where it was made about several. */
class EndedCalls {
  readonly #begun = new Map<
    string,
    { readonly node: string; readonly about: readonly string[]; readonly number: number }
  >();
  readonly #counts = new Map<string, number>();
  readonly #last = new Map<string, CauseCall>();

  /** Takes an event, and returns the call that ended with it, also one without an answer. */
  apply(event: JournalEvent): CauseCall | undefined {
    if (event.type === 'call-started') {
      const { node, about = [] } = event;
      for (const each of new Set([node, ...about])) this.#counts.set(each, (this.#counts.get(each) ?? 0) + 1);
      this.#begun.set(event.call, { node, about, number: this.#counts.get(node) ?? 1 });
    } else if (event.type === 'call-ended') {
      const begun = this.#begun.get(event.call);
      this.#begun.delete(event.call);
      if (!begun) return undefined;
      const { call, purpose, usage } = event;
      const tokens = usage ? usage.prompt + usage.completion : 0;
      const told: CauseCall = { call, purpose, node: begun.node, number: begun.number, tokens, usd: usage?.usd };
      if (event.outcome === 'ok') for (const each of new Set([begun.node, ...begun.about])) this.#last.set(each, told);
      return told;
    }
    return undefined;
  }

  last(path: string): CauseCall | undefined {
    return this.#last.get(path);
  }
}
