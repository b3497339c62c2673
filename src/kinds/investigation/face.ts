import type { KindFace, OptionFace, OptionsOf } from '../../core/kind/kind-face.ts';
import { INVESTIGATION_ACTIONS } from './investigation-actions.ts';
import { leadMarks, lookOfLead } from './looks.ts';
import { investigationPurposes } from './purposes.ts';

/** The formats of an investigation: the file of older servers, which can be read again; its graph, and its references. */
export const INVESTIGATION_FORMATS = ['tree-of-thoughts', 'dot', 'references'] as const;

const INVESTIGATION_OPTIONS = [
  {
    name: 'profile',
    type: 'choice',
    choices: ['strict', 'g1', 'g2', 'g3'],
    default: 'strict',
    help: 'its rules: ours, or those of an older server (default: strict)',
    hidden: true,
  },
  {
    name: 'minRounds',
    type: 'integer',
    least: 0,
    most: 20,
    flag: 'min-rounds',
    value: 'n',
    help: 'rounds that it has at least (default: 0; for agents 5)',
    forPeople: true,
  },
  {
    name: 'requireAgents',
    type: 'boolean',
    default: false,
    help: 'refuse results without an agent whose session was found',
    hidden: true,
  },
  { name: 'sessionId', type: 'text', most: 100, help: 'its id for clients', hidden: true },
  { name: 'projectDir', type: 'text', most: 1000, help: 'the folder that its agents work in', hidden: true },
  { name: 'minRoots', type: 'integer', least: 1, most: 1000, help: 'roots that the first round needs', hidden: true },
  { name: 'mode', type: 'choice', choices: ['smoke', 'deep', 'exhaustive'], help: 'how far it goes', hidden: true },
  { name: 'allowEarlyTerminal', type: 'boolean', help: 'whether branches may end early', hidden: true },
] as const satisfies readonly OptionFace[];

/** The options of an investigation in search.json, in addition to those of all kinds. */
export type InvestigationOptions = OptionsOf<typeof INVESTIGATION_OPTIONS>;

/** "Investigate a question": rounds of nodes that agents propose, research, check and commit, by the rules of a protocol. */
export const investigationFace: KindFace = {
  name: 'investigation',
  purposes: investigationPurposes,
  words: {
    title: 'Investigate a question',
    detail: 'Leads, each looked into by somebody who knows nothing else; others try to refute what was found.',
    icon: 'search',
    about: 'investigate a question in rounds',
    question: 'What do you want to have investigated?',
    example: 'Why do some requests time out?',
    node: 'lead',
    nodes: 'leads',
    one: '1 lead',
    several: '{0} leads',
    progress: '{0}, {1} not looked into',
    untouched: '{0} not looked into',
    label: 'Leads',
    addNode: 'Add a lead',
    addPrompt: 'What should be looked into?',
    whichNode: 'Which lead?',
    notOneNode: 'This can be done with a lead, not with a whole investigation.',
    findNodes: 'Find leads',
    beginning: 'Waiting for the first lead',
    finished: '"{0}" is finished: {1}.',
  },
  options: INVESTIGATION_OPTIONS,
  mayTry: true,
  // One that an agent leads has an id for its calls, since the server gives it one at its start.
  isLedOutside: ({ sessionId }) => Boolean(sessionId),
  actions: INVESTIGATION_ACTIONS,
  formats: INVESTIGATION_FORMATS,
  look: lookOfLead,
  marks: leadMarks,
};
