import type { KindFace, OptionFace, OptionsOf } from '../../core/kind/kind-face.ts';
import { OFFER_ACTIONS } from '../../core/offers/offer-actions.ts';
import { ACCEPT_ACTIONS } from './accept/accept-faces.ts';
import { atomMarks, lookOfAtom } from './looks.ts';
import { workGraphPurposes } from './purposes.ts';
import { workGraphDrawing } from './seen/drawing.ts';
import { workGraphGroups } from './seen/groups.ts';
import { WORK_GRAPH_ACTIONS } from './work-graph-actions.ts';

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
] as const satisfies readonly OptionFace[];

/** The options of a work graph in search.json, in addition to those of all kinds. */
export type WorkGraphOptions = OptionsOf<typeof WORK_GRAPH_OPTIONS>;

/** "Reach a goal": a graph of atoms, each worked on apart from the others, until what was agreed on before holds. */
export const workGraphFace: KindFace = {
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
    node: 'atom',
    nodes: 'atoms',
    one: '1 atom',
    several: '{0} atoms',
    progress: '{0} done, {1} to do',
    untouched: '{0} to do',
    label: 'Atoms',
    addNode: 'Add an atom',
    addPrompt: 'What is to be done?',
    whichNode: 'Which atom?',
    notOneNode: 'This can be done with an atom, not with a whole goal.',
    findNodes: 'Find atoms',
    beginning: 'Making the goal clear',
    planning: 'Planning the work',
    planned: 'This is the plan. Commands run only once you agree to it.',
    finished: '"{0}" is finished: {1}.',
    solved: '"{0}" is reached: {1}.',
    reached: 'reached',
  },
  options: WORK_GRAPH_OPTIONS,
  actions: { ...OFFER_ACTIONS, ...WORK_GRAPH_ACTIONS, ...ACCEPT_ACTIONS },
  formats: WORK_GRAPH_FORMATS,
  look: lookOfAtom,
  marks: atomMarks,
  drawing: workGraphDrawing,
  groups: workGraphGroups,
  details: async () => (await import('./seen/details.ts')).workGraphDetails,
  byHand: (summary) => ({ summary }),
  takesWork: true,
  depthFollows: true,
};
