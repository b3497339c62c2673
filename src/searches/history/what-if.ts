import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { SpendLimits } from '../../core/search/limits.ts';
import { SearchFile, type SearchOptions } from '../../core/search/search-file.ts';
import { type Kinds, loadKind, optionsOf } from '../../engine/kind.ts';
import type { SearchParts } from '../../engine-parts/opening/open-held-search.ts';
import { findSearch, readSearchId, UNFINISHED } from '../../store/open-store.ts';
import { momentIn } from '../../store/past/moment.ts';
import { systemRandom } from '../../store/system-ports.ts';
import { isFreeModel } from '../models/choose-model.ts';
import { RecordedAnswers, type Told } from '../models/own-answers.ts';
import { openSearch } from '../open-search.ts';
import type { Place } from '../place.ts';
import type { SearchOverview } from '../reader/search-overview.ts';
import { forgetUse } from '../trust/search-use.ts';
import { compareSides, type SearchComparison } from './compare-searches.ts';
import * as say from './messages.ts';
import { overviewAt } from './past-overview.ts';

/** The options and limits of a search that is played again. */
export interface Otherwise {
  /** Options of its kind, by name. */
  readonly options: SearchOptions;
  readonly strategy?: string | undefined;
  readonly limits: NonNullable<SearchParts['limits']>;
}

/** A search as it was, and as it would have been. */
export interface WhatIf extends Told {
  /** A is the search, B what it would have been. */
  readonly comparison: SearchComparison;
  /** Why it came to no end, if so. */
  readonly stopped: Message | undefined;
}

/**
 * Plays a search again on the answers that it got, with other options or limits: nobody is asked, and nothing is spent. What
 * nobody asked fails there. The played search is in a folder beside it, which is removed, unless `keep` names one for it.
 * @param signal ends it at once
 * @throws ThoughtTreeError `bad-input` for a search that changes files, or options that its kind does not know; `exists` if there
 *   is a search in `keep`
 */
export async function playAgain(
  kinds: Kinds,
  place: Place,
  { options, strategy, limits }: Otherwise,
  { keep, signal }: { readonly keep?: string | undefined; readonly signal?: AbortSignal } = {},
): Promise<WhatIf> {
  // Nothing of a search that is there is written over.
  if (keep !== undefined && (await findSearch(keep)))
    throw new ThoughtTreeError('exists', say.forkExists({ folder: keep }));
  const before = await overviewAt(kinds, place.folder);
  const kind = await loadKind(kinds, before.file);
  if (kind.descriptor.work) throw new ThoughtTreeError('bad-input', say.workNotPlayed());
  const isSame = Object.keys(options).length === 0 && strategy === undefined && isUnlimited(limits);
  const byData = kind.extras.hooks?.byData;
  const answers = await RecordedAnswers.of(before, kind.descriptor.purposes, byData);
  const playing = { kinds, place, before, answers, signal };
  // Answers say something of the same things only once they were given to the same questions.
  if (byData && !isSame) {
    answers.begin(true);
    await play({ ...playing, file: before.file, limits: {} }, undefined);
  }
  answers.begin(isSame);
  const changed = { ...before.file, options: { ...before.file.options, ...options } };
  const file = SearchFile.parse({ ...changed, createdAt: new Date().toISOString(), forkedFrom: undefined });
  const begun =
    strategy === undefined
      ? {}
      : kind.begin({ prompt: file.prompt, options: optionsOf(kind, file), strategy, findHooks: undefined });
  return await play({ ...playing, file: { ...file, ...begun }, limits }, keep);
}

function isUnlimited({ guards = {}, ...others }: Otherwise['limits']): boolean {
  return Object.keys(guards).length + Object.keys(others).length === 0;
}

interface Playing {
  readonly kinds: Kinds;
  readonly place: Place;
  readonly before: SearchOverview;
  readonly answers: RecordedAnswers;
  readonly file: SearchFile;
  readonly limits: Otherwise['limits'];
  readonly signal: AbortSignal | undefined;
}

async function play(
  { kinds, place, before, answers, file, limits, signal }: Playing,
  keep: string | undefined,
): Promise<WhatIf> {
  const origin = momentIn(place.folder)?.folder ?? place.folder;
  // Beside it, since what is quoted of files has their paths from there.
  const folder = keep ?? join(dirname(origin), `${UNFINISHED}${systemRandom.id()}`);
  const { model: name } = before;
  try {
    await copyPrompts(join(origin, 'prompts'), join(folder, 'prompts'));
    // Nothing is spent: what its journal says of limits may come from anybody.
    const { size, maxDepth, guards } = before.record.limits ?? before.limits;
    const { search } = await openSearch({
      kinds,
      place: { folder, workspace: place.workspace },
      create: file,
      read: before.read,
      concurrency: answers.concurrency,
      limits: { size, maxDepth, ...limits, guards: { ...guards, ...limits.guards } as SpendLimits },
      openModel: async () => answers.model(name === undefined ? false : isFreeModel(name)),
      openMember: async () => answers.model(false),
    });
    search.listen((event) => answers.hear(event));
    // The system's timers keep no process alive while a search waits.
    const alive = setInterval(() => undefined, 60_000);
    const stop = (): void => search.pause(true);
    signal?.addEventListener('abort', stop, { once: true });
    let hasEnded = false;
    try {
      const running = search.run();
      if (signal?.aborted) stop(); // while it was opened
      hasEnded = (await running).state === 'finished';
    } finally {
      signal?.removeEventListener('abort', stop);
      clearInterval(alive);
      await search.close();
    }
    const after = await overviewAt(kinds, folder);
    const sides = { a: { overview: before, node: before.tree.root }, b: { overview: after, node: after.tree.root } };
    const stopped = hasEnded ? undefined : after.reason;
    return { comparison: await compareSides(sides), ...answers.told, stopped };
  } finally {
    if (keep === undefined) {
      // A search that was only played says nothing of models, or of the acts of this person.
      const id = await readSearchId(folder);
      if (id !== undefined) forgetUse(id);
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Copies a person's prompts, which replace none; nothing but plain files, of which a folder may hold anything. */
async function copyPrompts(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((each) => each.isFile()).slice(0, MOST_PROMPTS)) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if ((await stat(source)).size > LONGEST_PROMPT || (await stat(target).catch(() => undefined))) continue;
    await mkdir(to, { recursive: true });
    await copyFile(source, target);
  }
}

/** Files of prompts, and the bytes of one, at most. */
const [MOST_PROMPTS, LONGEST_PROMPT] = [100, 1_000_000];
