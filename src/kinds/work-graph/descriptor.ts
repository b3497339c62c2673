import type { ActionDescriptor, NodeFacts } from '../../core/actions/action-descriptor.ts';
import { ACTIONS, OFFER_ACTIONS } from '../../core/actions/actions.ts';
import {
  type KindDescriptor,
  type OptionDescriptor,
  type OptionsOf,
  PLAIN_DESCRIPTOR,
} from '../../core/kind/kind-descriptor.ts';
import type { Purposes } from '../../core/ports/model.ts';
import { atomMarks, lookOfAtom, workGraphDrawing, workGraphGroups } from './show/looks.ts';
import { recordsIn, type Seen, seenIn } from './show/seen.ts';

const isOpen = (node: NodeFacts | undefined): boolean =>
  node !== undefined && !node.isCutOff && (node.status === 'unexpanded' || node.status === 'in-progress');

/** Tells whether what is kept of a node is so; true where that is unknown. */
function isKnownAs(node: NodeFacts | undefined, holds: (own: Seen) => boolean): boolean {
  return node?.own === undefined || holds(seenIn(node.own));
}

/** Tells whether something of it waits for a person's word, as far as is known. */
function mayWait(node: NodeFacts | undefined): boolean {
  return isKnownAs(node, ({ evidence, type }) => {
    const words = recordsIn(evidence).map(({ word }) => word);
    return type !== 'group' && words.includes('uncheckable');
  });
}

function hasEvidence(node: NodeFacts | undefined): boolean {
  return isKnownAs(node, ({ evidence }) => recordsIn(evidence).length > 0);
}

const WHY = { name: 'why', type: 'text', help: 'why, in a few words; it is kept', most: 1000 } as const;

/** The actions on a work graph besides those of all searches: a person's decisions. */
const WORK_GRAPH_ACTIONS = {
  // A resolved atom is not done once more: a person redirects what came of it.
  expand: { ...ACTIONS.expand, when: (search, node) => isOpen(node) && ACTIONS.expand.when(search, node) },
  redo: { ...ACTIONS.redo, when: () => false },
  assert: {
    name: 'assert',
    on: 'node',
    title: 'Confirm or reject…',
    help: 'say whether something holds that cannot be checked here, of a task or of the goal',
    args: [
      { name: 'says', type: 'choice', required: true, help: 'whether it holds', choices: ['yes', 'no'] },
      {
        name: 'item',
        type: 'text',
        help: 'which item, by its place or its words (default: all that wait)',
        most: 1000,
      },
      WHY,
    ],
    waitsForRun: true,
    startsRun: true,
    when: (_search, node) => isOpen(node) && mayWait(node),
  },
  'check-again': {
    name: 'check-again',
    isRare: true,
    on: 'node',
    title: 'Check again',
    help: 'run the checks of a task or of the goal once more, as when a program was missing',
    args: [],
    waitsForRun: true,
    startsRun: true,
    when: (_search, node) => isOpen(node) && hasEvidence(node),
  },
  'do-myself': {
    name: 'do-myself',
    isRare: true,
    on: 'node',
    title: 'Do it myself',
    help: 'work on a task yourself: it becomes an offer with a checkout of its own, and nobody else works on it',
    args: [],
    waitsForRun: true,
    startsRun: true,
    // An atom that is offered already is taken by the same words.
    when: (_search, node) =>
      node?.offer === undefined &&
      (isOpen(node) || (node?.status === 'failed' && !node.isCutOff)) &&
      isKnownAs(node, ({ type, by }) => type === 'task' && by !== 'person'),
  },
  'accept-proposal': {
    name: 'accept-proposal',
    isRare: true,
    on: 'node',
    title: 'Accept proposal',
    help: 'make a task that a worker proposed a part of the goal (prune it otherwise)',
    args: [],
    waitsForRun: true,
    startsRun: true,
    when: (_search, node) => isOpen(node) && isKnownAs(node, ({ isProposed }) => isProposed === true),
  },
  'add-alternative': {
    name: 'add-alternative',
    isRare: true,
    on: 'node',
    title: 'Add alternative…',
    help: 'add another way to a group of alternatives',
    args: [
      { name: 'title', type: 'text', required: true, help: 'what is to be done', most: 1000 },
      { name: 'does', type: 'text', help: 'the same in full', most: 8000 },
      { name: 'run', type: 'text', help: 'the command that does it', most: 4000 },
      { name: 'checks', type: 'json', help: 'what shows that it is done: a list as in plan.yaml' },
      { name: 'touches', type: 'json', help: 'the files that it changes: a list of globs' },
    ],
    waitsForRun: true,
    startsRun: true,
    when: (_search, node) =>
      node !== undefined &&
      !node.isCutOff &&
      node.status !== 'pruned' &&
      isKnownAs(node, ({ type }) => type === 'group'),
  },
  redirect: {
    name: 'redirect',
    isRare: true,
    on: 'search',
    title: 'Redirect…',
    help: 'change the goal, the graph, a limit, or what came of a task; it is shown first what that reopens',
    args: [
      {
        name: 'type',
        type: 'choice',
        required: true,
        help: 'what is changed',
        choices: ['objective', 'graph', 'constraint', 'binding'],
      },
      { name: 'change', type: 'json', required: true, help: 'the change, as doc/work-graph.md describes it' },
      WHY,
      { name: 'dryRun', type: 'boolean', help: 'only show what it would reopen' },
    ],
    prints: true,
    asksFirst: true,
    removes: true,
    waitsForRun: true,
    startsRun: true,
    when: (search) => search.isDivided,
  },
  'go-on': {
    name: 'go-on',
    on: 'search',
    title: 'Continue',
    help: 'count iterations, and those without progress, from here',
    args: [],
    waitsForRun: true,
    startsRun: true,
    when: (search) => search.isDivided && search.state !== 'finished',
  },
} as const satisfies Readonly<Record<string, ActionDescriptor>>;

/** The actions on the accepted work of a goal: look at it, bring it into one's own files, and take it back. */
const ACCEPT_ACTIONS = {
  diff: {
    name: 'diff',
    on: 'both',
    title: 'Review changes',
    help: 'show what the accepted work changes, or what one task does',
    args: [{ name: 'file', type: 'text', help: 'this file alone, as it was and as it is', most: 1000 }],
    prints: true,
    when: (search) => search.isDivided,
  },
  accept: {
    name: 'accept',
    on: 'search',
    title: 'Accept changes…',
    help: 'bring all accepted work into your own files; your Git index and branch stay as they are',
    args: [
      { name: 'dryRun', type: 'boolean', help: 'only show what would change' },
      {
        name: 'undo',
        type: 'boolean',
        help: 'make the files of it what they were before, unless you changed them since',
      },
    ],
    prints: true,
    asksFirst: true,
    removes: true,
    when: (search) => search.isDivided,
  },
  // In a terminal it is `accept --undo`.
  'undo-accept': {
    name: 'undo-accept',
    on: 'search',
    title: 'Undo accepting…',
    help: 'make your files what they were before its work was accepted, unless you changed them since',
    args: [],
    isHosts: true,
    asCall: { action: 'accept', undo: true },
    removes: true,
    when: (search) => search.isDivided && search.isAccepted !== false,
  },
} as const satisfies Readonly<Record<string, ActionDescriptor>>;

/** The purposes of a work graph's requests to models. */
export const workGraphPurposes = {
  align: {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 3000, completion: 1200 },
    doing: 'making the goal clear',
    brief: 'aligning',
  },
  plan: {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 4000, completion: 2500 },
    doing: 'planning the work',
    brief: 'planning',
  },
  probe: {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 6000, completion: 600 },
    doing: 'finding out whether it can be done',
    brief: 'probing',
  },
  'work-on': {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 20_000, completion: 3000 },
    doing: 'working on a task',
    brief: 'working',
  },
  'judge-quality': {
    judged: true,
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 6000, completion: 400 },
    doing: 'judging the quality of work',
    brief: 'judging',
  },
  decompose: {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 3000, completion: 800 },
    doing: 'splitting a task',
    brief: 'splitting',
  },
} as const satisfies Purposes;

export type WorkGraphPurpose = keyof typeof workGraphPurposes;

/** The formats of a work graph: the state file of the system it comes from, which can be read again; its graph. */
const WORK_GRAPH_FORMATS = ['aot-state', 'dot', 'mermaid'] as const;

const WORK_GRAPH_OPTIONS = [
  {
    name: 'parallel',
    type: 'integer',
    least: 1,
    most: 64,
    value: 'n',
    help: 'workers at once (default: as the plan says, 3)',
    perRun: true,
  },
  {
    name: 'uncommitted',
    type: 'boolean',
    flag: 'with-uncommitted',
    help: 'begin with what is not committed yet, too (default: at the last commit)',
    isOfUncommitted: true,
    forPeople: true,
  },
  {
    name: 'setUp',
    type: 'text',
    flag: 'set-up',
    value: 'command',
    most: 4000,
    help: 'the command that prepares each checkout, as in "npm ci --offline" (default: as the plan says)',
    forPeople: true,
  },
] as const satisfies readonly OptionDescriptor[];

/** The options of a work graph in search.json, in addition to those of all kinds. */
export type WorkGraphOptions = OptionsOf<typeof WORK_GRAPH_OPTIONS>;

/** The beginnings of goals that change files. */
/** The beginnings, in Japanese the ends, of what asks for a change to code. */
const TO_CHANGE = [
  /^\s*(?:please )?(?:(?:let's|let us|i want(?: you)? to|i'd like(?: you)? to|(?:we|you) (?:need|have) to) )?(?:implement|fix|refactor|migrate|port|upgrade|rename|replace|remove|delete|add|change|modify|optimi[sz]e|speed up|simplify|rewrite|convert|extract|introduce)\b/i,
  /^\s*(?:please )?make\b.{1,120}\b(?:faster|quicker|smaller|shorter|simpler|safer|stricter|lighter|async|asynchronous|configurable|optional|pass|compile|work|robust|readable)\b/i,
  /^\s*(?:please )?(?:write|create)\s+(?:(?!(?:of|about|on|how|why|what|for|that|which)\b)[\w-]{1,30}\s+){0,4}(?:modules?|functions?|class(?:es)?|(?:unit )?tests?|scripts?|methods?|components?|commands?|endpoints?|hooks?|files?)\b/i,
  /^\s*(?:请|帮我|请帮我)?(?:实现|修复|修改|重构|迁移|升级|重命名|替换|移除|删除|添加|新增|增加|优化|编写.{0,40}(?:模块|函数|测试|文件|类|脚本)|(?:把|让).{1,80}(?:改成|改为|换成|更快|变快))/,
  /(?:実装|修正|追加|削除|変更|改善|最適化|高速化|移行|リファクタリング|速く|(?:関数|テスト|モジュール|ファイル|クラス).{0,20}(?:を書い|を作っ|を作成し))(?:して|て)?(?:ください|下さい|ほしい|くれ)?[。.!！]?\s*$/,
];

/** The words that make a question of it. */
const IS_ASKED = /[?？]|什么|怎|如何|吗|为何|どう|なぜ|何/;

/** "Reach a goal": a graph of atoms, each worked on apart from the others, until what was agreed on before holds. */
export const workGraphDescriptor: KindDescriptor = {
  ...PLAIN_DESCRIPTOR,
  name: 'work-graph',
  purposes: workGraphPurposes,
  moves: {
    'lay-out': 'laying it out',
    probe: 'probing',
    work: 'working',
    join: 'joining',
    switch: 'switching',
    decompose: 'splitting',
    verify: 'checking the goal',
    extend: 'adding work',
  },
  words: {
    title: 'Reach a goal',
    detail: 'A goal, split into pieces of work that depend on each other; each is checked before it counts.',
    icon: 'target',
    about: 'reach a goal by a graph of work',
    question: 'What is to be reached?',
    example: 'All tests pass on Node 26',
    node: 'task',
    nodes: 'tasks',
    one: '1 task',
    several: '{0} tasks',
    progress: '{0} done, {1} to do',
    untouched: '{0} to do',
    label: 'Tasks',
    addNode: 'Add a task',
    addPrompt: 'What is to be done?',
    whichNode: 'Which task?',
    notOneNode: 'This can be done with a task, not with a whole goal.',
    findNodes: 'Find tasks',
    beginning: 'Making the goal clear',
    planning: 'Planning the work',
    planned: 'This is the plan. Commands run only once you agree to it.',
    finished: '"{0}" is finished: {1}.',
    reached: 'reached',
  },
  options: WORK_GRAPH_OPTIONS,
  guess: (question) => (!IS_ASKED.test(question) && TO_CHANGE.some((form) => form.test(question)) ? {} : undefined),
  actions: { ...OFFER_ACTIONS, ...WORK_GRAPH_ACTIONS, ...ACCEPT_ACTIONS },
  formats: WORK_GRAPH_FORMATS,
  look: lookOfAtom,
  marks: atomMarks,
  graph: {
    drawing: workGraphDrawing,
    groups: workGraphGroups,
    details: async () => (await import('./show/details.ts')).workGraphDetails,
  },
  work: { byHand: (summary) => ({ summary }) },
  traits: { ...PLAIN_DESCRIPTOR.traits, depthFollows: true },
};
