import type { ServerCall } from './server-call.ts';
import { chance, choose } from './server-random.ts';

export interface ScriptedTreeOptions {
  readonly seed?: number;
  /** How many children the node at `path` has; its depth is 0 for the root. Five, three and three by default. */
  readonly fanout?: (path: string, depth: number) => number;
  /** The title of the child at `index` (from 0) of the node at `path`. */
  readonly title?: (path: string, index: number) => string;
  /** How many words the body of a document has; 120 by default. */
  readonly documentWords?: number;
}

/** Answers by what a request is for, by its node and, for a pick, its candidates: the same whatever the timing. */
export interface ScriptedTree {
  /** Answers a request of any purpose. */
  readonly answer: (call: ServerCall) => string;
  readonly children: (path: string) => string;
  readonly document: (path: string) => string;
  readonly pick: (prompt: string) => string;
  /** The titles of the children of the node at `path`, in order. */
  readonly titlesOf: (path: string) => string[];
}

const FIRST = [
  'Amber',
  'Binary',
  'Cedar',
  'Delta',
  'Ember',
  'Fallow',
  'Granite',
  'Harbor',
  'Indigo',
  'Juniper',
] as const;
const SECOND = ['lattice', 'queue', 'signal', 'ledger', 'harvest', 'compiler', 'orbit', 'valve', 'archive'] as const;
const WORDS = [
  'the',
  'cache',
  'holds',
  'what',
  'a',
  'worker',
  'needs',
  'until',
  'its',
  'lease',
  'ends',
  'and',
] as const;

const depthOf = (path: string) => (path === '' ? 0 : path.split('/').length);

/** A tree that a model might have grown, without a model. */
export function scriptedTree(options: ScriptedTreeOptions = {}): ScriptedTree {
  const { seed = 1, documentWords = 120 } = options;
  const fanout = options.fanout ?? ((_path, depth) => [5, 3, 3][depth] ?? 0);
  const title =
    options.title ??
    ((path, index) => {
      const [first, second] = [choose(FIRST, seed, path, index, 1), choose(SECOND, seed, path, index, 2)];
      return `${first} ${second} ${index + 1}`;
    });

  const titlesOf = (path: string) =>
    Array.from({ length: Math.max(0, fanout(path, depthOf(path))) }, (_, index) => title(path, index));

  const children = (path: string) => {
    const list = titlesOf(path).map((name, index) => ({
      title: name,
      score: Math.round(chance(seed, 'score', path, index) * 100) / 10,
      why: `It is part ${index + 1} of the whole.`,
    }));
    return `Here is the list.\n<output>\n${JSON.stringify(list)}\n</output>\n`;
  };

  const document = (path: string) => {
    const name = (path.split('/').pop() ?? '').replaceAll('-', ' ') || 'the question';
    const words = Array.from({ length: documentWords }, (_, i) => choose(WORDS, seed, path, i)).join(' ');
    const front = `title: ${JSON.stringify(name)}\nsummary: ${JSON.stringify(`What is known of ${name}.`)}`;
    return `---\n${front}\n---\n\n# ${name}\n\n${words}.\n`;
  };

  const pick = (prompt: string) => {
    const limit = Number(/(?:up to|at most) (\d+)/i.exec(prompt)?.[1] ?? Number.POSITIVE_INFINITY);
    const weight = choicesIn(prompt).map(({ name, answer }) => ({ answer, at: chance(seed, 'pick', name) }));
    const ranking = weight.sort((a, b) => a.at - b.at).map(({ answer }) => answer);
    return `<output>\n${ranking.slice(0, limit).join('\n')}\n</output>\n`;
  };

  const answer = ({ purpose, node, prompt }: ServerCall) => {
    if (purpose === 'children') return children(node);
    // Where a document is to end with its subtopics, it does.
    if (purpose === 'document')
      return /end with the list of its subtopics/.test(prompt)
        ? `${document(node)}\n${children(node)}`
        : document(node);
    if (purpose === 'pick') return pick(prompt);
    if (purpose === 'synthesize') return 'In short: everything the question asks for stands in the sections below.\n';
    return `An answer for ${purpose || 'nothing in particular'}.\n`;
  };

  return { answer, children, document, pick, titlesOf };
}

/** Returns what a picker may choose from, as it is answered: the numbers of an outline, or the slug paths of a list. */
export function candidatesIn(prompt: string): string[] {
  return choicesIn(prompt).map(({ answer }) => answer);
}

function choicesIn(prompt: string): { readonly name: string; readonly answer: string }[] {
  const numbered = Array.from(prompt.matchAll(NUMBERED), ([, answer = '', name = '']) => ({ name, answer }));
  return numbered.length > 0 ? numbered : pathsIn(prompt).map((path) => ({ name: path, answer: path }));
}

/** A line as in `  - [3] Title [unexpanded] 6 — why`, or `- [4] Title (below other > topics)`. */
const NUMBERED = /^ *- \[(\d+)\] (.+?)(?= \[unexpanded\]| \(below )/gm;

/** Returns the slug paths of the longest list (`- some/path`, nothing else on the line) after words on candidates. */
function pathsIn(prompt: string): string[] {
  let best: string[] = [];
  let run: string[] | undefined;
  for (const line of prompt.split('\n')) {
    const path = /^\s*- (\S+)\s*$/.exec(line)?.[1];
    if (path !== undefined) run?.push(path);
    else if (/candidate/i.test(line)) run = [];
    else if (line.trim() !== '' && run !== undefined && run.length > 0) run = undefined;
    if (run !== undefined && run.length > best.length) best = run;
  }
  return best;
}
