import * as z from 'zod';
import type { JournalEvent } from '../../../core/search/events.ts';
import { expansionsOf } from '../../../core/search/limits.ts';
import type { KeptFold } from '../../../core/search/record/fold.ts';
import { oneLine } from '../../../core/text/text.ts';
import { MEANWHILE, varying } from '../../../core/text/varying-parts.ts';
import { lineageOf, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { foundInDocument } from '../../../engine/report/findings.ts';
import { hasDocument } from '../../../engine/report/link-target.ts';
import type { ResearchSearch } from '../research-search.ts';

/** The most that a prompt shows of other branches: in topics, and in characters of one line. */
const MOST_FINISHED = 16;
const MOST_PLANNED = 16;
const LONGEST_TITLE = 100;
const LONGEST_SUMMARY = 220;
/** The findings that are shown of each of the nearest documents. */
const MOST_WITH_FINDINGS = 5;
const MOST_FINDINGS = 2;
/** As long as one may be: whoever builds on a finding needs its conditions, which come last. */
const LONGEST_FINDING = 400;
const LONGEST_WHY = 160;
/** The most topics of one list that are looked at, so that a prompt costs the same in a tree of any size. */
const MOST_LOOKED_AT = 60;

/**
 * Returns what a document's prompt tells of the rest of the search: how much of it is left, what others found, and what is
 * planned elsewhere. It depends on when it is asked for, so it is in the journal before the call, and a resumed search
 * uses that again; it stands in the last turn, so that prompt caches serve everything before it.
 * @param session the conversation of the node
 */
export async function meanwhile(ctx: ResearchSearch, node: TreeNode, session: string): Promise<string> {
  const path = pathOf(node);
  const shown = ctx.history.past.part(Shown)?.of(path, session);
  if (shown !== undefined) return shown;
  const text = await toldNow(ctx, node);
  await ctx.history.record({ type: 'shown', node: path, session, text }, true);
  return text;
}

async function toldNow(ctx: ResearchSearch, node: TreeNode): Promise<string> {
  const { finished, planned } = elsewhere(node);
  const lines = [placeOf(ctx, node)];
  if (finished.length > 0) {
    const said = finished.map(async (each, at) => [
      withSummary(each),
      ...(at < MOST_WITH_FINDINGS ? await findingsOf(ctx, each) : []),
    ]);
    lines.push(
      'Documents of others so far; build on them, leave to them what is theirs, and say where you find otherwise:',
      ...(await Promise.all(said)).flat(),
    );
  }
  if (planned.length > 0) lines.push('Planned elsewhere:', ...planned.map(withWhy));
  return varying(MEANWHILE, lines.join('\n'));
}

function withSummary({ title, summary }: TreeNode): string {
  const said = oneLine(summary ?? '', LONGEST_SUMMARY);
  return `- ${oneLine(title, LONGEST_TITLE)}${said === '' ? '' : `: ${said}`}`;
}

function withWhy({ title, evaluation }: TreeNode): string {
  const why = oneLine(evaluation?.reasoning ?? '', LONGEST_WHY);
  return `- ${oneLine(title, LONGEST_TITLE)}${why === '' ? '' : `: ${why}`}`;
}

async function findingsOf({ store }: ResearchSearch, node: TreeNode): Promise<string[]> {
  const document = await store.readDocument(pathOf(node));
  const { findings } = document === undefined ? { findings: [] } : foundInDocument(document);
  return findings.slice(0, MOST_FINDINGS).map(({ text, cites }) => {
    const place = cites[0] === undefined ? '' : ` (${cites[0]})`;
    return `  - ${oneLine(text, LONGEST_FINDING)}${place}`;
  });
}

function placeOf({ limits, tree }: ResearchSearch, { depth }: TreeNode): string {
  const { size, maxDepth } = limits.now;
  const left = expansionsOf(size) - tree.worked - 1;
  const room = Number.isFinite(left) ? `, and about ${Math.max(0, left)} more will be written` : '';
  return `This document is on level ${depth} of at most ${maxDepth}; finished so far: ${tree.worked}${room}.`;
}

/** The topics beside the way down to a node: those with a document, and those still to be written; the nearest first. */
function elsewhere(node: TreeNode): { finished: TreeNode[]; planned: TreeNode[] } {
  const finished: TreeNode[] = [];
  const planned: TreeNode[] = [];
  const way = new Set(lineageOf(node));
  const look = (list: readonly TreeNode[]): void => {
    for (const each of list.slice(0, MOST_LOOKED_AT)) {
      if (way.has(each) || each.status === 'pruned') continue;
      if (hasDocument(each)) finished.push(each);
      // Whoever is on the first level has read its list in the conversation that it is forked from.
      else if (each.depth > 1 && each.status !== 'failed' && each.leafReason !== 'duplicate') planned.push(each);
    }
  };
  for (const each of [...way].reverse()) look(each.parent?.children ?? []);
  for (const topic of (lineageOf(node)[0]?.parent?.children ?? []).slice(0, MOST_LOOKED_AT))
    if (!way.has(topic)) look(topic.children);
  return { finished: finished.slice(0, MOST_FINISHED), planned: planned.slice(0, MOST_PLANNED) };
}

const ShownState = z.array(z.tuple([z.string(), z.object({ session: z.string(), text: z.string() })]));

/** Keeps what prompts of nodes under way were shown of other branches, until the nodes are done. */
export class Shown implements KeptFold {
  static readonly part = 'shown';
  readonly name = Shown.part;
  readonly #byPath = new Map<string, { session: string; text: string }>();

  apply(event: JournalEvent): void {
    if (event.type === 'shown') this.#byPath.set(event.node, { session: event.session, text: event.text });
    else if (event.type === 'node-status' && event.status !== 'in-progress') this.#byPath.delete(event.node);
  }

  get state(): z.infer<typeof ShownState> {
    return [...this.#byPath];
  }

  restore(state: unknown): void {
    this.#byPath.clear();
    for (const [path, shown] of ShownState.parse(state)) this.#byPath.set(path, shown);
  }

  /** Returns what was shown at a node in a conversation; undefined if nothing was. */
  of(path: string, session: string): string | undefined {
    const shown = this.#byPath.get(path);
    return shown?.session === session ? shown.text : undefined;
  }
}
