import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join, posix, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Model, ModelRequest } from '../../src/core/ports/model.ts';
import { ThoughtTreeError } from '../../src/core/search/errors.ts';
import { nothingRecorded } from '../../src/models/messages.ts';
import type { Place } from '../../src/searches/place.ts';
import type { Today } from './figures.ts';
import type { Call, Question, Run } from './material.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A change of the source that harms answers: the figure that it names must show it. */
interface Mutant {
  readonly figure: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly search: string;
  readonly replace: string;
}

export const MUTANTS: Readonly<Record<string, Mutant>> = {
  citations: {
    figure: 'citations that hold after mending',
    file: 'src/core/citations/citation-marks.ts',
    search: "encodeSegment)].join('/');",
    replace: "encodeSegment)].join('/'); [from, to] = [from + 2, to + 2];",
  },
  findings: {
    figure: 'findings in the request for the report',
    file: 'src/kinds/research/report/synthesis.ts',
    search: 'numbered = findings.map(',
    replace: 'numbered = [].map(',
  },
  overview: {
    figure: "files of the rubrics' facts in the overview",
    file: 'src/engine-parts/opening/open-held-search.ts',
    search: "return overview === ''",
    replace: "return overview !== 'none'",
  },
};

/** @throws Error naming those that there are */
export function mutantNamed(name: string): Mutant {
  const mutant = MUTANTS[name];
  if (!mutant) throw new Error(`there is no mutant ${name}, but ${Object.keys(MUTANTS).join(', ')}`);
  return mutant;
}

/** Breaks what is loaded from now on. */
export function breakWith({ file, search, replace }: Mutant): void {
  const broken = pathToFileURL(join(ROOT, file)).href;
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      return url === broken ? { ...loaded, source: String(loaded.source).replace(search, () => replace) } : loaded;
    },
  });
}

/** How long an answer waits for those that were recorded before it, once none comes any more, in milliseconds. */
const PATIENCE_MS = 400;

/** Gives the recorded answers: of the same request, else of the same place in the same conversation. */
class Replay {
  readonly asked: ModelRequest[] = [];
  /** The last answer with the document of each node, and with the report. */
  readonly written = new Map<string, string>();
  same = 0;
  readonly #calls: readonly Call[];
  readonly #keyOf: (words: ModelRequest | Call['words']) => string;
  readonly #left: Set<Call>;
  readonly #given = new Set<Call>();

  constructor(calls: readonly Call[], keyOf: (words: ModelRequest | Call['words']) => string) {
    this.#calls = calls;
    this.#keyOf = keyOf;
    this.#left = new Set(calls);
  }

  readonly generate: Model['generate'] = async (request) => {
    this.asked.push(request);
    const key = this.#keyOf(request);
    const there = [...this.#left];
    const same = there.find(({ words }) => this.#keyOf(words) === key);
    const call =
      same ?? there.find(({ words, node }) => words.purpose === request.purpose && isAlike(node, request.node));
    if (!call) throw new ThoughtTreeError('not-found', nothingRecorded(request), { charged: false });
    if (same) this.same++;
    this.#left.delete(call);
    await this.#turnOf(call);
    const { text, finish } = call.answered;
    const isWritten = request.purpose === 'document' || request.purpose === 'synthesize';
    if (isWritten && finish === 'stop') this.written.set(request.node, text);
    return call.answered;
  };

  /** Waits for what was answered earlier then: what is asked next depends on what is done. */
  async #turnOf(call: Call): Promise<void> {
    const before = this.#calls.slice(0, this.#calls.indexOf(call));
    let since = Date.now();
    for (let given = this.#given.size; before.some((one) => !this.#given.has(one)); ) {
      if (given !== this.#given.size) [given, since] = [this.#given.size, Date.now()];
      if (Date.now() - since > PATIENCE_MS) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.#given.add(call);
  }
}

/** Tells whether two paths are of the same node: how long the names of folders are, may change. */
function isAlike(one: string, other: string): boolean {
  const [names, others] = [one.split('/'), other.split('/')];
  const isSame = (name: string, of = ''): boolean =>
    name !== '' && of !== '' && (name.startsWith(of) || of.startsWith(name));
  return one === other || (names.length === others.length && names.every((name, at) => isSame(name, others[at])));
}

/** Runs a recorded search again, offline, by today's code, on a copy of its code base. */
export async function again(question: Question, run: Run, codeBase: string): Promise<Today> {
  // Loaded here, so that it may be broken before.
  await import('../../test/support/own-state.ts');
  const [{ requestKey }, { openSearch }, { newSearch }, { placeFor, titleFrom }, { prepareModel }, { KINDS }] =
    await Promise.all([
      import('../../src/models/replay/recording.ts'),
      import('../../src/searches/open-search.ts'),
      import('../../src/searches/new-search.ts'),
      import('../../src/searches/place.ts'),
      import('../../src/searches/models/prepare-model.ts'),
      import('../../src/kinds/kinds.ts'),
    ]);
  const temporary = await mkdtemp(join(tmpdir(), 'thought-tree-answers-'));
  const alive = setInterval(() => undefined, 60_000);
  try {
    const workspace = join(temporary, question.package);
    await cp(codeBase, workspace, { recursive: true });
    const title = titleFrom(question.question);
    const place = placeFor(workspace, title, undefined);
    const asked = { kind: 'research', title, prompt: question.question, model: run.model.name };
    const create = run.search ?? (await newSearch(KINDS, { ...asked, options: { size: 'small' } }));
    const replay = new Replay(run.calls, requestKey);
    const price = { prompt: 3, cached: 0.3, completion: 15 };
    const { generate } = replay;
    const { name } = run.model;
    const model: Model = { name, tools: run.model.tools === true, label: name, free: false, price, generate };
    const openModel = async (): Promise<Model> => prepareModel(model, {});
    const { search } = await openSearch({ kinds: KINDS, place, create, openModel, mayRead: async () => true });
    await search.run();
    await search.close();
    return await todayOf(question, replay, place);
  } finally {
    clearInterval(alive);
    await rm(temporary, { recursive: true, force: true });
  }
}

async function todayOf(question: Question, replay: Replay, { workspace, folder }: Place): Promise<Today> {
  const { lazyWorkspaceText } = await import('../../src/searches/open-search.ts');
  const { countCitations } = await import('../../src/engine-parts/citations/check-citations.ts');
  const { parseDocument } = await import('../../src/core/text/document.ts');
  const { foundIn } = await import('../../src/engine-parts/report/findings.ts');
  // After a round of tools the prompt is among the turns.
  const report =
    replay.asked.findLast(({ purpose, prompt }) => purpose === 'synthesize' && prompt !== '')?.prompt ?? '';
  const system = replay.asked[0]?.system ?? '';
  const files = [...new Set(question.facts.flatMap(({ places }) => places.map(({ file }) => file)))];
  const text = lazyWorkspaceText(workspace, undefined, posix.dirname(relative(workspace, folder)));
  const counts = await countCitations(text, replay.written.values());
  await text.close?.();
  let [findings, shown, wrong] = [0, 0, 0];
  for (const path of await readdir(folder, { recursive: true })) {
    if (!/(?:^|\/)(?:document|report)\.md$/.test(path)) continue;
    const { data, body } = parseDocument(await readFile(join(folder, path), 'utf8'));
    const said = foundIn(data).findings.map(({ text }) => text);
    findings += said.length;
    shown += said.filter((text) => report.includes(`] ${text}`)).length;
    wrong += await linkedFalsely(body, join(folder, posix.dirname(path)));
  }
  return {
    asked: replay.asked.length,
    same: replay.same,
    citations: { ...counts, held: counts.held + counts.mended - wrong },
    findings,
    shown,
    files: files.length,
    named: files.filter((file) => system.includes(posix.basename(file))).length,
  };
}

/**
 * Counts the links of a document that lead to lines which are not there, or lack words that are quoted below the link,
 * whatever the program thinks of them.
 * @param folder of the document
 */
export async function linkedFalsely(document: string, folder: string): Promise<number> {
  const { citationsIn } = await import('../../src/core/citations/citations-in.ts');
  const quoted = new Map(citationsIn(document).map(({ link, quotation }) => [link.start, quotation.text]));
  let count = 0;
  for (const match of document.matchAll(/\[(?:[^[\]\\\n]|\\.)+\]\(<?([^()<>#\s]+)#L(\d+)(?:-L(\d+))?>?\)/g)) {
    const [, path = '', from = '', to = from] = match;
    const file = await readFile(join(folder, decodeURIComponent(path)), 'utf8').catch(() => '');
    const lines = file
      .replace(/\n$/, '')
      .split('\n')
      .slice(Number(from) - 1, Number(to));
    const there = ` ${wordsIn(lines.join('\n'))} `;
    // What is left out of a quotation is marked by dots.
    const parts = (quoted.get(match.index) ?? '').split(/\n|…|\.{3}/).map(wordsIn);
    const isThere = lines.length > Number(to) - Number(from);
    if (!isThere || parts.some((part) => part !== '' && !there.includes(` ${part} `))) count++;
  }
  return count;
}

function wordsIn(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}
