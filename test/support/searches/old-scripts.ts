import type {
  DecomposeTask,
  EvaluateThoughts,
  GenerateThoughts,
} from '../../../src/kinds/thoughts/prompts/thought-messages.ts';
import type { ServerCall } from '../servers/server-call.ts';
import { scriptedTree } from '../servers/server-tree.ts';

/** What answers a kept search, and how it is continued. */
export interface OldScript {
  /** The answer to a request, by what it asks alone: a restarted server gives the same answers. */
  readonly answer: (call: ServerCall) => string;
  /** Commands that bring it to its end; the search's folder comes behind the first word. */
  readonly goOn: readonly (readonly string[])[];
  /** Nodes of which the exact words of every call are kept; `.` is the search as a whole. */
  readonly shown: readonly string[];
  /** Whether what it comes to follows from its answers alone; else only what was there already is compared. */
  readonly isOpenEnded?: true;
  /** Statuses that it comes to now and did not in 0.1, by slug path: what a person wants of a solved search is judged. */
  readonly now?: Readonly<Record<string, string>>;
  /** Whether it needs the hooks next to it. */
  readonly hooks?: true;
}

type Titles = (path: string, index: number) => string;

const depthOf = (path: string): number => (path === '' ? 0 : path.split('/').length);

/** A tree of topics, so wide at each depth. */
function topics(width: readonly number[], title?: Titles): OldScript['answer'] {
  const fanout = (path: string): number => width[depthOf(path)] ?? 0;
  return scriptedTree({ fanout, documentWords: 25, ...(title ? { title } : {}) }).answer;
}

const nth: Titles = (path, index) => `${['Ash', 'Birch', 'Cedar', 'Dogwood'][depthOf(path)]} ${index + 1}`;

// Quotations of the workspace of `research-finished`: at their place, somewhere else, and in no file.
const TRUE = '[src/lease.py:4]\n\n```python\ndef take_lease(folder, owner):\n```';
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
const DEAD_END = '13 * 4 = 52 (left: 9 10 52)';
const TWO_LEFT = '13 - 9 = 4 (left: 4 6)';

/** `4 9 10 13`: two ways lead to the same two numbers, one step is wrong, others are dead ends. */
const NUMBERS: Thoughts = {
  root: [
    [DEAD_END, 6],
    [THREE_LEFT, 9],
    [OTHER_THREE, 9],
    ['13 - 9 = 5 (left: 4 5 10)', 9],
    ['9 + 4 = 13 (left: 10 13 13)', 5.5],
    ['9 * 10 = 90 (left: 4 13 90)', 0.5],
  ],
  [DEAD_END]: [
    ['52 - 10 = 42 (left: 9 42)', 3],
    ['52 - 9 = 43 (left: 10 43)', 2],
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

/** The same, with other scores for the first steps. */
const judged = (score: (step: string) => number): Thoughts => ({
  ...NUMBERS,
  root: (NUMBERS['root'] ?? []).map(([step]) => [step, score(step)]),
});

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

/** Answers that follow from what is asked: thoughts that were proposed before are not proposed again. */
function thoughts(given: Thoughts): OldScript['answer'] {
  const scores = new Map(Object.values(given).flat());
  return ({ purpose, prompt }) => {
    if (purpose === 'synthesize') return '一步一步地搬。\n';
    const { type, payload } = JSON.parse(prompt.split('\n\n')[0] as string) as
      | DecomposeTask
      | GenerateThoughts
      | EvaluateThoughts;
    if (type === 'decompose_task')
      return output({
        thought_granularity: '一个步骤',
        intermediate_steps: ['准备', '搬运'],
        depth_estimate: 3,
        constraints: ['不能丢书'],
        success_criteria: '书房在新家里可以用',
      });
    if (type === 'generate_thoughts') {
      const { path, earlier } = payload.context;
      const next = (given[path.at(-1) ?? 'root'] ?? []).filter(([content]) => !earlier.includes(content));
      return output(next.slice(0, payload.num_candidates).map(([content]) => ({ content, action_type: 'step' })));
    }
    const evaluations = payload.candidates.map(({ id, content }) => {
      const score = scores.get(content) ?? 5;
      return {
        id,
        score,
        confidence: 0.9,
        reasoning: `看起来值 ${score} 分`,
        ...(score > 9.5 ? { solution: true } : {}),
      };
    });
    return output({ evaluations });
  };
}

function output(said: unknown): string {
  return `<output>${JSON.stringify(said)}</output>`;
}

/** The kept searches, by the names of their folders. */
export const OLD_SCRIPTS: Readonly<Record<string, OldScript>> = {
  'research-finished': {
    answer: cited,
    goOn: [['resume'], ['grow', '--max-depth', '3'], ['resume']],
    shown: ['ash-2', 'ash-1/birch-1', '.'],
  },
  'research-quotes': {
    answer: () => '',
    goOn: [['resume'], ['grow', '--max-depth', '2', '--size', 'all'], ['resume', '--model', 'workspace/quotes']],
    shown: ['.'],
    isOpenEnded: true,
  },
  'research-budget': {
    answer: topics([3, 2, 1], nth),
    goOn: [['resume', '--max-calls', '200']],
    shown: ['.', 'ash-1'],
  },
  'research-steered': {
    answer: topics([4, 2, 1], nth),
    // Raised limits of a journal hold only for the user who is remembered to have raised them; 0.1 kept no memory.
    goOn: [['resume', '--size', 'all', '--max-depth', '2']],
    shown: ['ash-1', 'ash-3', 'a-topic-of-mine'],
  },
  'research-killed': {
    answer: topics([4, 2, 1], nth),
    goOn: [['resume']],
    shown: ['ash-1', 'ash-2', 'ash-3'],
  },
  'research-chinese': {
    answer: inChinese,
    goOn: [['resume', '--max-calls', '200']],
    shown: ['缓存失效', '依赖太多'],
  },
  'thoughts-solved': {
    answer: thoughts(NUMBERS),
    goOn: [['resume'], ['expand', 'node_1'], ['resume']],
    now: { 'node_1/node_1_1': 'pruned', 'node_1/node_1_2': 'pruned' },
    shown: ['.', 'node_2'],
  },
  'thoughts-killed': {
    answer: thoughts(judged((step) => ([THREE_LEFT, OTHER_THREE].includes(step) ? 6.5 : 4))),
    goOn: [['resume']],
    shown: ['.', 'node_2', 'node_3'],
  },
  'thoughts-paused': {
    answer: thoughts(judged((step) => (step === DEAD_END ? 10 : 7))),
    goOn: [['resume', '--max-calls', '200']],
    shown: ['.', 'node_1'],
  },
  'thoughts-chinese': {
    answer: thoughts(MOVING),
    goOn: [['resume', '--max-calls', '200']],
    shown: ['.', 'node_1'],
    hooks: true,
  },
};
