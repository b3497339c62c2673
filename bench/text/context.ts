import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelRequest } from '../../src/core/ports/model.ts';
import type { WorkspaceText } from '../../src/core/ports/workspace-text.ts';
import { openToolbox } from '../../src/searches/tools/tools.ts';
import { QuotationFinder } from '../../src/text/find/find-quotations.ts';
import { indexWorkspace } from '../../src/text/index/workspace-indexes.ts';
import { simulate } from '../../test/support/searches/simulated-search.ts';
import { type ScriptedTreeOptions, scriptedTree } from '../../test/support/servers/server-tree.ts';
import { fastClock } from '../../test/support/virtual-clock.ts';
import { type Figure, median, type Part } from '../harness/figure.ts';
import { Beginnings, blocksOf } from '../trees/prefix-share.ts';
import { type ContextHits, hitsOf } from './context-hits.ts';
import { readingModel } from './reading-model.ts';

const QUESTION = 'How does a timeout fail a test, and what happens to the hooks around it?';
const TOPICS = [
  'Timers of a runnable',
  'Hooks of a suite',
  'Retries',
  'Reporters',
  'Events of the runner',
  'Parallel runs',
];
const ASPECTS = ['when it begins', 'what resets it', 'what it reports', 'how errors pass through'];

interface Run {
  readonly prompt: number;
  readonly completion: number;
  /** The share of the requests' bytes that were a prefix of an earlier one, from 0 to 1. */
  readonly shared: number;
  /** Bytes of the documents' own prompts, the median. */
  readonly ownPrompt: number;
  readonly documents: number;
}

/** The result of a search with tools. */
interface ToolRun {
  readonly prompt: number;
  readonly completion: number;
  readonly calls: number;
  readonly uses: number;
}

/**
 * Returns what quotations in prompts, and tools, add to a search of 60 topics over a real code base, the sources of
 * mocha.
 */
export const context: Part = async ({ say }) => {
  const folder = mkdtempSync(join(tmpdir(), 'context-'));
  try {
    for (const name of ['lib', 'bin', 'README.md']) {
      mkdirSync(folder, { recursive: true });
      cpSync(join(import.meta.dirname, '../../node_modules/mocha', name), join(folder, name), { recursive: true });
    }
    say('reading the workspace');
    const begun = performance.now();
    const index = await indexWorkspace(folder);
    const indexed = performance.now() - begun;
    const finder = new QuotationFinder(index);
    const times: number[] = [];
    const hits = { asked: hitsOf(finder, 'asked'), topic: hitsOf(finder, 'topic') };
    const text = inProcess(finder, times);
    say('searching with context, with tools, with neither');
    const plain = await search(undefined);
    const grounded = await search(text);
    const reading = await searchWithTools(folder);
    return [
      ...tokenRows(plain, grounded, reading),
      ...hitRows('of a question', hits.asked, 12),
      ...hitRows('of a topic', hits.topic, 11),
      ...contextRows(
        plain,
        grounded,
        times,
        `${index.files.length} files; the index took ${(indexed / 1000).toFixed(1)} s`,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Returns the index in this process: time is virtual here, and would not wait for a thread. */
function inProcess(finder: QuotationFinder, times: number[]): WorkspaceText {
  return {
    async find(request) {
      const begun = performance.now();
      const found = finder.find(request);
      times.push(performance.now() - begun);
      return found;
    },
    overview: () => Promise.resolve(''),
    read: () => Promise.resolve({ unreadable: 'missing' }),
    named: () => Promise.resolve([]),
    asSearched: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
}

const TREE: ScriptedTreeOptions = {
  fanout: (_path, depth) => [6, 4, 4][depth] ?? 0,
  documentWords: 340,
  title: (path, place) =>
    path === '' ? (TOPICS[place % TOPICS.length] as string) : (ASPECTS[place % ASPECTS.length] as string),
};
const FILE = { prompt: QUESTION, title: 'Timeouts' };

/**
 * Returns the same search with a model that looks each topic up with two uses of tools; in real time, since files are
 * read.
 */
async function searchWithTools(folder: string): Promise<ToolRun> {
  const model = readingModel(scriptedTree(TREE));
  const { search: opened, events } = await simulate({
    search: {
      model,
      clock: fastClock(1000),
      toolbox: openToolbox(folder),
      tools: true,
      limits: { size: 'medium' },
    },
    file: FILE,
  });
  await opened.run();
  const sum = (of: 'prompt' | 'completion'): number => model.log.reduce((total, call) => total + call[of], 0);
  const uses = events.filter(({ type }) => type === 'tool-used').length;
  return { prompt: sum('prompt'), completion: sum('completion'), calls: model.log.length, uses };
}

async function search(workspaceText: WorkspaceText | undefined): Promise<Run> {
  const beginnings = new Beginnings();
  const own: number[] = [];
  let [all, shared] = [0, 0];
  const seen = (request: ModelRequest): undefined => {
    const blocks = blocksOf(request);
    all += blocks.bytes;
    shared += beginnings.sharedBytes(blocks);
    beginnings.remember(blocks);
    if (request.purpose === 'document') own.push(Buffer.byteLength(request.prompt));
  };
  const { run, model } = await simulate({
    tree: TREE,
    model: { instead: seen, free: true },
    search: { limits: { size: 'medium' }, ...(workspaceText && { workspaceText }) },
    file: FILE,
  });
  await run();
  const sum = (of: (call: (typeof model.log)[number]) => number): number =>
    model.log.reduce((total, call) => total + of(call), 0);
  return {
    prompt: sum((call) => call.prompt),
    completion: sum((call) => call.completion),
    shared: shared / all,
    ownPrompt: median(own),
    documents: own.length,
  };
}

/** Returns what a search sends and receives, by how its model sees the workspace. */
function tokenRows(plain: Run, grounded: Run, reading: ToolRun): Figure[] {
  const documents = `${grounded.documents} documents, question on the sources of mocha`;
  const row = (how: string, { prompt, completion }: { prompt: number; completion: number }, note: string): Figure[] => [
    { part: 'context', what: `prompt tokens, ${how}`, value: prompt / 1000, unit: 'thousand', note },
    { part: 'context', what: `answer tokens, ${how}`, value: completion / 1000, unit: 'thousand', note: '' },
  ];
  const over = (prompt: number): string => `${(prompt / plain.prompt).toFixed(2)} × those with neither`;
  return [
    ...row('neither context nor tools', plain, documents),
    ...row('with context', grounded, over(grounded.prompt)),
    {
      part: 'context',
      what: 'prompt tokens that context adds',
      value: (grounded.prompt - plain.prompt) / 1000,
      unit: 'thousand',
      target: { atMost: 220 },
      note: '88 when a prompt had 26 lines, and half as many of those that decide',
    },
    ...row('with tools', reading, `${over(reading.prompt)}; ${reading.uses} uses in ${reading.calls} calls`),
  ];
}

/** Returns what a model is given at one look, and how often that decides the question. */
function hitRows(what: string, found: ContextHits, least: number): Figure[] {
  const part = 'context';
  const { hits, questions, bytes, lines, mostLines } = found;
  return [
    {
      part,
      what: `context ${what}, with the line that decides`,
      value: hits,
      unit: `of ${questions}`,
      target: { atLeast: least },
      note: `${(lines / questions).toFixed(1)} lines on average, at most ${mostLines}`,
    },
    {
      part,
      what: `context ${what}, mean`,
      value: bytes / questions,
      unit: 'bytes',
      target: { atMost: 4800 },
      note: 'whole definitions, up to 1,200 tokens',
    },
  ];
}

function contextRows(plain: Run, grounded: Run, times: readonly number[], index: string): Figure[] {
  const part = 'context';
  return [
    {
      part,
      what: 'prefix sent before, with context',
      value: 100 * grounded.shared,
      unit: '%',
      note: `without ${(100 * plain.shared).toFixed(0)} %`,
    },
    {
      part,
      what: "a document's own prompt, median",
      value: grounded.ownPrompt / 1000,
      unit: 'KB',
      target: { atMost: 7 },
      note: `without ${(plain.ownPrompt / 1000).toFixed(2)} KB`,
    },
    {
      part,
      what: 'finding the quotations of a node, median',
      value: median(times),
      unit: 'ms',
      note: `${index}, once, in its thread`,
    },
  ];
}
