import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Call, type Run, readRun } from '../../../eval/answers/material.ts';
import type { Model, ModelRequest } from '../../../src/core/ports/model.ts';
import { ThoughtTreeError } from '../../../src/core/search/errors.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { nothingRecorded } from '../../../src/models/messages.ts';
import { prepareModel } from '../../../src/searches/models/prepare-model.ts';
import { openSearch } from '../../../src/searches/open-search.ts';
import { type Place, placeFor } from '../../../src/searches/place.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const RUNS = fileURLToPath(new URL('../../../eval/answers/runs', import.meta.url));
const PRICE = { prompt: 3, cached: 0.3, completion: 15 };

/**
 * Runs a recorded search of the evaluation again, by today's engine, on disk: each answer is the next one of its node and
 * purpose. Its workspace has the lines that the model read then; no code base is fetched.
 */
export async function runRecorded(name: string): Promise<Place> {
  const run = await readRun(join(RUNS, name));
  if (!run?.search) throw new Error(`there is no recorded run ${name} with a search`);
  const workspace = temporaryFolder(`recorded-${name}`);
  for (const [file, lines] of linesRead(run)) {
    const path = join(workspace, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${lines.join('\n')}\n`);
  }
  const search: SearchFile = run.search;
  const place = placeFor(workspace, search.title, undefined);
  const model = modelOf(run);
  const opened = await openSearch({
    kinds: KINDS,
    place,
    create: search,
    openModel: async () => prepareModel(model, {}),
    mayRead: async () => true,
  });
  const alive = setInterval(() => undefined, 60_000);
  try {
    await opened.search.run();
  } finally {
    clearInterval(alive);
    await opened.search.close();
  }
  return place;
}

function modelOf({ model: { name, tools = false }, calls }: Run): Model {
  const left = new Set<Call>(calls);
  const generate: Model['generate'] = async (request: ModelRequest) => {
    const call = [...left].find(({ words, node }) => words.purpose === request.purpose && node === request.node);
    if (!call) throw new ThoughtTreeError('not-found', nothingRecorded(request), { charged: false });
    left.delete(call);
    return call.answered;
  };
  return { name, label: basename(name), free: false, tools, price: PRICE, generate };
}

/** Returns the lines of files that the tools showed; the others are numbered. */
function linesRead({ calls }: Run): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const { words } of calls)
    for (const { name, text } of [...words.turns, words].flatMap(({ toolResults = [] }) => toolResults)) {
      const [, file, all] = /^(\S+), lines \d+ to \d+ of (\d+):\n/.exec(text) ?? [];
      if (name !== 'read' || file === undefined) continue;
      const lines = files.get(file) ?? Array.from({ length: Number(all) }, (_, at) => `not read ${at + 1}`);
      for (const [, number, line = ''] of text.matchAll(/^(\d+)\t(.*)$/gm)) lines[Number(number) - 1] = line;
      files.set(file, lines);
    }
  return files;
}
