import { startLedServer } from '../investigation/led-server.ts';
import { readThoughtRequest } from '../searches/thought-request.ts';
import { type LoggedRequest, startScriptedServer } from '../servers/scripted-server.ts';
import type { ServerCall } from '../servers/server-call.ts';
import { scriptedTree } from '../servers/server-tree.ts';
import { lastPrompt, serveTools, type Use } from '../servers/tool-server.ts';

/** The model of a pinned search, as a server. */
export interface PinnedServer {
  readonly baseUrl: string;
  /** Returns what was asked for, however it was worded, in order; of a process before as well. */
  asked(): readonly string[];
  close(): Promise<void>;
}

/** What answers a pinned search, and how it is brought to its end. */
export interface PinnedScript {
  /** Starts its model. What `holds` says of what is asked for is never answered. */
  readonly serve: (holds?: (asked: string) => boolean) => Promise<PinnedServer>;
  /** Commands of its end with their exit codes; the search's folder comes behind the first word. */
  readonly goOn: readonly (readonly [code: number, command: string, ...rest: string[]])[];
  /** Its formats besides JSON. */
  readonly formats: readonly string[];
}

/** What models said to open a report. */
export const OPENINGS = ['In short: everything the question asks for', '简而言之：构建慢，因为缓存失效。'];

/** Where all of them are, below their workspaces. */
export const SEARCH = 'thought-trees/pinned';

/** A server whose answers follow from what is asked alone. */
async function serve(
  answer: (call: ServerCall) => string,
  holds = (_: string): boolean => false,
): Promise<PinnedServer> {
  const { baseUrl, log, close } = await startScriptedServer({
    answer,
    fault: (call) => (holds(askedFor(call)) ? 'hang' : undefined),
  });
  return { baseUrl, asked: () => log.filter(isWhole).map(askedFor), close };
}

const isWhole = ({ outcome }: LoggedRequest): boolean => outcome === 'answered';

/**
 * What a request asks for. Rankings and a report's opening are left out (as nothing): what these are asked depends on what
 * was there at that moment.
 */
function askedFor({ purpose, node, prompt, messages }: ServerCall): string {
  if (purpose === 'pick' || purpose === 'synthesize') return '';
  if (purpose === 'generate' || purpose === 'evaluate') {
    const { type, candidates, earlier } = readThoughtRequest(prompt);
    const about = type === 'evaluate' ? candidates.map(({ id }) => id).join(' ') : `after ${earlier.length}`;
    return `${purpose} ${node}: ${about}`;
  }
  if (purpose !== 'propose-leads') return `${purpose} ${node}`;
  // One node proposes for all that are below it.
  const first = messages.find(({ content }) => content.includes('with the ids'))?.content ?? prompt;
  return `${purpose} ${node}: ${/with the ids ([^\n]*?)\.(?:\s|$)/.exec(first)?.[1]}`;
}

type Titles = (path: string, index: number) => string;

const depthOf = (path: string): number => (path === '' ? 0 : path.split('/').length);

/** Returns a tree of topics, so wide at each depth. */
function topics(width: readonly number[], title: Titles): (call: ServerCall) => string {
  const fanout = (path: string): number => width[depthOf(path)] ?? 0;
  return scriptedTree({ fanout, documentWords: 25, title }).answer;
}

const nth: Titles = (path, index) => `${['Ash', 'Birch', 'Cedar', 'Dogwood'][depthOf(path)]} ${index + 1}`;

/** A small workspace to quote. */
export const WORKERS = {
  'docs/queue.md': `# The queue

Every job waits for a lease.
A lease that was silent for 30 seconds is free.
`,
  'src/lease.py': `"""Who may write."""
import os


def take_lease(folder, owner):
    """Takes the right to write a folder: where it is free."""
    path = os.path.join(folder, "lease")
    if os.path.exists(path) and not is_silent(path):
        raise RuntimeError("held")
    write_owner(path, owner)
`,
};

// At their place, somewhere else, and in no file.
const TRUE = '[src/lease.py:5]\n\n```python\ndef take_lease(folder, owner):\n```';
const MOVED = '[docs/queue.md:1]\n\n```\nA lease that was silent for 30 seconds is free.\n```';
const FALSE = '[src/lease.py:7]\n\n```python\n    return everybody_may_write\n```';

function cited(call: ServerCall): string {
  const plain = topics([2, 2, 1], nth)(call);
  if (call.purpose !== 'document') return plain;
  // Only the first try quotes what is in no file, so that the document goes back once.
  const isWrong = call.node === 'ash-2' && call.attempt === 1;
  return `${plain}\n${isWrong ? FALSE : call.node === 'ash-1' ? `${TRUE}\n\n${MOVED}` : TRUE}\n`;
}

const CHINESE = ['缓存失效', '依赖太多', '并行不足：原因？', '缓存失效'];

/** Titles in Chinese: one with marks that no folder's name has, two that are the same, one that is very long. */
const chinese: Titles = (path, index) => {
  if (path === '') return CHINESE[index] ?? '';
  return index === 0 ? `如何测量 ${path.length} 次 🚀` : '一个很长的标题'.repeat(12);
};

function inChinese(call: ServerCall): string {
  if (call.purpose === 'synthesize') return '简而言之：构建慢，因为缓存失效。\n';
  if (call.purpose !== 'document') return topics([4, 2], chinese)(call);
  const name = call.node.split('/').pop() ?? '';
  return `---\ntitle: ${JSON.stringify(name)}\nsummary: 关于“${name}”已知的一切。\n---\n\n# ${name}\n\n每次构建都重新编译全部文件。\n`;
}

/** Thoughts below a thought, each with the score that the judge gives it. */
type Thoughts = Readonly<Record<string, readonly (readonly [content: string, score: number])[]>>;

const THREE_LEFT = '10 - 4 = 6 (left: 6 9 13)';
const OTHER_THREE = '13 - 9 = 4 (left: 4 4 10)';
const TWO_LEFT = '13 - 9 = 4 (left: 4 6)';

/** `4 9 10 13`: two ways lead to the same two numbers, one step is wrong, others are dead ends. */
const NUMBERS: Thoughts = {
  root: [
    ['13 * 4 = 52 (left: 9 10 52)', 6],
    [THREE_LEFT, 9],
    [OTHER_THREE, 9],
    ['13 - 9 = 5 (left: 4 5 10)', 9],
    ['9 + 4 = 13 (left: 10 13 13)', 5.5],
    ['9 * 10 = 90 (left: 4 13 90)', 0.5],
  ],
  [THREE_LEFT]: [
    [TWO_LEFT, 9],
    ['9 - 6 = 3 (left: 3 13)', 2],
  ],
  [OTHER_THREE]: [
    ['10 - 4 = 6 (left: 4 6)', 9],
    ['4 * 10 = 40 (left: 4 40)', 3],
  ],
  [TWO_LEFT]: [
    ['4 + 6 = 10 (left: 10)', 2],
    ['6 * 4 = 24 (left: 24)', 10],
  ],
};

const COUNT = '先清点书和家具';
const MEASURE = '先量新书房的尺寸';
const READY = '量好尺寸，清点也做完了';

const MOVING: Thoughts = {
  root: [
    [COUNT, 8.5],
    [MEASURE, 8],
    ['先请搬家公司估价', 6.5],
    ['先把书全部扔掉', 2],
  ],
  [COUNT]: [
    ['按大小装箱，贴上标签', 7],
    [READY, 9],
  ],
  [MEASURE]: [
    ['清点做完，尺寸也有了', 9],
    ['画一张摆放图', 7.5],
  ],
  [READY]: [
    ['装箱、搬运、按图摆放：完成', 9.8],
    ['第二天再说', 4],
  ],
};

/** A task of a person's own: two ways to be ready are the same. */
export const HOOKS = `export const task = {
  name: 'moving',
  defaults: {},
  wording: { generate: '一个想法是一个步骤。', evaluate: '判断这一步有没有用。' },
  verify: ({ thoughts }) => (thoughts.at(-1).content === '先请搬家公司估价' ? { ok: false, why: '太短了' } : { ok: true }),
  state: ({ thoughts }) => {
    const { content } = thoughts.at(-1);
    return content.includes('清点') && content.includes('尺寸') ? '清点和尺寸都有了' : content;
  },
};
`;

/** Thoughts that were proposed before are not proposed again. */
function thoughts(given: Thoughts): (call: ServerCall) => string {
  const scores = new Map(Object.values(given).flat());
  return ({ purpose, prompt }) => {
    if (purpose === 'synthesize') return '一步一步地搬。\n';
    const { type, path, earlier, count, candidates } = readThoughtRequest(prompt);
    if (type === 'decompose')
      return output({
        thought_granularity: '一个步骤',
        intermediate_steps: ['准备', '搬运'],
        depth_estimate: 3,
        constraints: ['不能丢书'],
        success_criteria: '书房在新家里可以用',
      });
    if (type === 'generate') {
      const next = (given[path.at(-1) ?? 'root'] ?? []).filter(([content]) => !earlier.includes(content));
      return output(next.slice(0, count).map(([content]) => ({ content, action_type: 'step' })));
    }
    const evaluations = candidates.map(({ id, content }) => {
      const score = scores.get(content) ?? 5;
      const said = { id, score, confidence: 0.9, reasoning: `看起来值 ${score} 分` };
      return { ...said, ...(score > 9.5 ? { solution: true } : {}) };
    });
    return output({ evaluations });
  };
}

function output(said: unknown): string {
  return `<output>${JSON.stringify(said)}</output>`;
}

/** Every lead but the first below each leads nowhere. */
const narrow = (id: string): string => (/[1a]$/i.test(id) ? 'settled' : 'nothing');
/** Returns a lead a round, as long as the person wants one. */
const asWanted = (round: number, prompt: string): string[] => (/wants at least/.test(prompt) ? [`Lead ${round}`] : []);

async function lead(holds = (_: string): boolean => false): Promise<PinnedServer> {
  const fault = (call: ServerCall) => (holds(askedFor(call)) ? ('hang' as const) : undefined);
  const { baseUrl, log, close } = await startLedServer({ result: narrow, leads: asWanted }, { fault });
  return { baseUrl, asked: () => log.filter(isWhole).map(askedFor), close };
}

/** A goal that a chat model with tools reaches. */
export const GREETING = {
  'README.md': '# Greetings\n\nIn English.\n',
  'check.sh': 'grep -q "Hello, reader" greeting.txt\n',
  'plan.yaml': `goal: There is a greeting that names the reader
base_case:
  - { item: it greets, check: { command: sh check.sh } }
atoms:
  - { id: A1, title: Write the greeting, touches: [greeting.txt],
      checks: [{ item: it greets, check: { command: sh check.sh } }] }
  - { id: A2, title: Tell about it, depends_on: [A1], touches: [README.md],
      checks: [{ item: a file, check: { file: README.md } }] }
`,
};

const USES: Readonly<Record<string, readonly Use[]>> = {
  A1: [
    { name: 'read_lines', input: { path: 'check.sh' } },
    { name: 'write_file', input: { path: 'greeting.txt', text: 'Hello!\n' } },
    { name: 'edit_file', input: { path: 'greeting.txt', old: 'Hello!', new: 'Hello, reader!' } },
    { name: 'run_command', input: { command: 'sh check.sh' } },
  ],
  A3: [{ name: 'write_file', input: { path: 'told.txt', text: 'It loads lazily.\n' } }],
  A2: [
    { name: 'edit_file', input: { path: 'README.md', old: '# Greetings', new: '# Greetings\n\nSee greeting.txt.' } },
  ],
};

/** The file of an older server: two rounds, one proposal that waits. */
export const SESSION = JSON.stringify({
  sessionId: '8f14e45f-ceea-467f-a0e6-3d1d2b9c5a10',
  query: 'Why do requests time out?',
  projectDir: '/home/me/project',
  minRoots: 1,
  currentRound: 2,
  currentBatch: 0,
  nodes: {
    'R1.A': {
      ...{ id: 'R1.A', parent: null, title: 'The client', state: 'EXPLORE', round: 1, children: ['R2.A1', 'R2.A2'] },
      findings: 'It waits for 30 seconds.\n\n## References\n- src/client.ts - the timer\n',
    },
    'R2.A1': {
      ...{ id: 'R2.A1', parent: 'R1.A', title: 'Its timer', state: 'EXPLORE', round: 2, children: [] },
      findings: 'It fires twice.\n\n## References\n- src/timer.ts - read\n',
    },
    'R2.A2': {
      ...{ id: 'R2.A2', parent: 'R1.A', title: 'Its socket', state: 'DEAD', round: 2, children: [] },
      findings: 'It is closed.\n\n## References\n- src/socket.ts - read\n',
    },
  },
  pendingProposals: {
    'R3.A1a': {
      id: 'R3.A1a',
      parent: 'R2.A1',
      title: 'Why twice',
      plannedAction: 'Read',
      proposedAt: 1_700_000_000_000,
    },
  },
  usedAgentIds: { abcdef0: 'R1.A', abcdef1: 'R2.A1', abcdef2: 'R2.A2' },
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_000_000,
});

/** A state file as the original writes it: one way failed, one piece of work is left. */
export const STATE = `---
objective:
  goal: Faster start
  base_case:
    checklist:
      - { item: it is told, check: { type: command, value: "grep -q lazily told.txt" } }
control: { status: running, iteration: 2 }
atoms:
  - { id: A1, description: measure, status: resolved, depends_on: [] }
  - { id: A2_cache, description: a cache, status: pending, depends_on: [A1], or_group: how }
  - { id: A2_lazy, description: load lazily, status: resolved, depends_on: [A1], or_group: how }
  - { id: A3, description: tell, status: pending, depends_on: [A2_lazy] }
or_groups:
  how: { choices: [A2_cache, A2_lazy], selected: A2_lazy, failed: [A2_cache] }
bindings:
  A1: { summary: measured, artifacts: [] }
  A2_lazy: { summary: loads lazily, artifacts: [src/lazy.ts, "a, b.ts"] }
trail:
  - { or_group: how, selected: A2_cache, reason: first, timestamp: "2026-01-01T00:00:00" }
  - { or_group: how, selected: A2_lazy, reason: "Auto-backtrack: A2_cache failed", timestamp: "2026-01-02T00:00:00" }
corrections:
  - { timestamp: "2026-01-03", type: constraint_change, description: more time, trail_cleared: false }
---

# Original Prompt

Faster.
`;

/** Returns a worker with tools: what is asked for is one round of an atom. */
async function work(holds = (_: string): boolean => false): Promise<PinnedServer> {
  const answered: string[] = [];
  const { baseUrl, close } = await serveTools((request, round) => {
    const { purpose } = request;
    const atom = /<atom>\n(\w+):/.exec(lastPrompt(request))?.[1] ?? '';
    const asked = purpose === 'synthesize' ? '' : `${purpose} ${atom}: round ${round}`;
    if (holds(asked)) return undefined;
    answered.push(asked);
    if (purpose === 'probe') return output({ feasible: true, findings: 'A file is enough.', relevant_files: [] });
    return USES[atom]?.[round] ?? output({ success: true, summary: `Did ${atom}.`, artifacts: [] });
  });
  return { baseUrl, asked: () => answered, close };
}

const nobody = (): Promise<PinnedServer> =>
  serve(() => {
    throw new Error('nothing is to be asked');
  });

const FINISHED = [[0, 'resume']] as const;

/** The pinned searches, by the names of their folders. */
export const PINNED: Readonly<Record<string, PinnedScript>> = {
  'research-finished': {
    serve: (holds) => serve(cited, holds),
    goOn: [...FINISHED, [0, 'grow', '--max-depth', '3'], [0, 'resume']],
    formats: [],
  },
  'research-steered': { serve: (holds) => serve(inChinese, holds), goOn: FINISHED, formats: [] },
  'research-killed': { serve: (holds) => serve(topics([4, 2, 1], nth), holds), goOn: FINISHED, formats: [] },
  'thoughts-finished': {
    serve: (holds) => serve(thoughts(NUMBERS), holds),
    goOn: [...FINISHED, [0, 'expand', 'node_1'], [0, 'resume']],
    formats: ['thought-tree'],
  },
  'thoughts-paused': {
    serve: (holds) => serve(thoughts(MOVING), holds),
    goOn: [[0, 'resume', '--max-calls', '200', '--hooks', '{root}/hooks.mjs']],
    formats: ['thought-tree'],
  },
  'investigation-finished': { serve: lead, goOn: FINISHED, formats: ['tree-of-thoughts', 'dot', 'references'] },
  'investigation-killed': { serve: lead, goOn: FINISHED, formats: ['tree-of-thoughts', 'dot', 'references'] },
  'investigation-by-agent': {
    serve: nobody,
    goOn: [[7, 'resume']],
    formats: ['tree-of-thoughts', 'dot', 'references'],
  },
  'investigation-imported': {
    serve: nobody,
    goOn: [[7, 'resume']],
    formats: ['tree-of-thoughts', 'dot', 'references'],
  },
  'goal-by-agent': { serve: nobody, goOn: FINISHED, formats: ['aot-state', 'dot', 'mermaid'] },
  'goal-killed': { serve: work, goOn: [[0, 'resume', '--no-context']], formats: ['aot-state', 'dot', 'mermaid'] },
  'goal-imported': { serve: work, goOn: [[0, 'resume', '--allow-commands']], formats: ['aot-state', 'dot', 'mermaid'] },
};
