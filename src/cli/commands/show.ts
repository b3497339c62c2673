import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { descriptorOf, type Kinds } from '../../engine/kind.ts';
import type { CallStory } from '../../engine-parts/transcripts/transcript.ts';
import { overviewAt } from '../../searches/history/past-overview.ts';
import { findNode, folderOfNode } from '../../searches/reader/find-node.ts';
import type { SearchOverview } from '../../searches/reader/search-overview.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import * as say from '../messages.ts';
import { searchFolder, wholeNumber } from '../options/options.ts';
import { type ShownNode, shownObject, shownRows, transcriptObject, transcriptRows } from '../rows/node-view.ts';
import { problemText } from '../rows/texts.ts';
import { renderRow, terminalOf } from '../terminal/terminal.ts';
import { l10n } from '../terminal/translation.ts';

const FILES = ['search.json', 'report.md', 'notes.md', 'node.json', 'document.md', 'children.json'];

interface ShowFlags {
  readonly call?: number;
  readonly json?: boolean;
}

/** `show DIR NODE`. */
export function addShow(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  program
    .command('show')
    .description(l10n.t('show everything about one node, including every call made for it'))
    .argument('<dir>', l10n.t("the search's folder"))
    .argument('<node>', l10n.t('slug path, path on disk or title; . for the search as a whole'))
    .option('--call <n>', l10n.t('the exact prompt and answer of one call'), wholeNumber(1))
    .option('--json', l10n.t('one JSON object on stdout'))
    .action(async (dir: string, named: string, flags: ShowFlags) => {
      await show(kinds, await searchFolder(dir), named, flags);
      end(EXIT.finished);
    });
}

async function show(kinds: Kinds, folder: string, named: string, { call: number, json }: ShowFlags): Promise<void> {
  const path = await findNode(folder, named);
  const overview = await overviewAt(kinds, folder);
  const shown = await lookAt(overview, path, descriptorOf(kinds, overview.file.kind));
  const call = number === undefined ? undefined : callOf(shown, number);
  const found = call && (await overview.reader.exchange(path, call.number))?.found;
  const { out, err } = terminalOf(process);
  if (json) {
    const words = call && found ? { call: { number: call.number, ...transcriptObject(call, found) } } : {};
    out.line(JSON.stringify({ ...shownObject(shown), ...words }, undefined, 2));
  } else {
    const rows = call && found ? transcriptRows(call, found) : shownRows(shown);
    for (const row of rows) out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
    for (const problem of overview.problems) err.line(problemText(problem));
  }
  await out.drained();
}

/** Collects everything about a node, or about the search as a whole. */
async function lookAt(
  overview: SearchOverview,
  path: string,
  descriptor: KindDescriptor | undefined,
): Promise<ShownNode> {
  const inNode = folderOfNode(overview.folder, path);
  const [details, files] = await Promise.all([overview.reader.details(path), standingFiles(inNode)]);
  if (path !== '' && !details.file) throw new ThoughtTreeError('not-found', say.nodeFolderGone({ folder: inNode }));
  const tables = (await descriptor?.graph?.details())?.of(details.file?.own) ?? [];
  return { overview, details, files, tables, descriptor };
}

async function standingFiles(folder: string): Promise<string[]> {
  const found = await Promise.all(FILES.map((name) => stat(join(folder, name)).catch(() => undefined)));
  return FILES.filter((_, index) => found[index]?.isFile()).map((name) => join(folder, name));
}

function callOf({ details: { story } }: ShownNode, number: number): CallStory {
  const call = story.calls[number - 1];
  if (call) return call;
  const count = story.calls.length;
  throw new ThoughtTreeError('bad-input', count === 0 ? say.noCalls({ number }) : say.noCall({ number, count }));
}
