import { counted, message } from '../../core/messages/message.ts';

export const solutions = message('investigation.solutions', 'What was found');
export const noAnswer = message('investigation.no-answer', 'No answer was found.');
export const noAnswerYet = message('investigation.no-answer-yet', 'No answer was found yet.');
export const noAnswerInWords = message(
  'investigation.no-answer-in-words',
  'No answer was found. {model} is no language model: it looks for words as they are written, and nothing in the files of this folder fits the question. Ask in the language and with the words of the files, or choose a language model.',
);
export const notEnded = message('investigation.not-ended', 'The investigation continues: {why}');
export const theories = message('investigation.theories', 'Theories');
export const refuted = message('investigation.refuted', 'Refuted by a check');
export const deadEnds = message('investigation.dead-ends', 'Dead ends');
export const open = message('investigation.open', 'Still open');
export const sources = message('investigation.sources', 'References');
export const receipts = message(
  'investigation.receipts',
  'How they came about: {engine:number} by the engine, {agent:number} by agents whose session files were found, {unverified:number} unverified.',
);
export const rounds = counted(
  'investigation.rounds',
  '1 round, {nodes:number} nodes.',
  '{count:number} rounds, {nodes:number} nodes.',
);
export const wrongFile = message(
  'investigation.wrong-file',
  'This is not an investigation as older servers keep it: {why}.',
);
export const tooManyNodes = message(
  'investigation.too-many-nodes',
  'it has {nodes:number} nodes, more than {most:number}',
);
export const wrongId = message('investigation.wrong-id', 'the id of the node {node} is not one of the protocol');
export const noParent = message('investigation.no-parent', 'the parent {parent} of {node} is not committed');
export const twice = message('investigation.twice', '{node} is both proposed and committed');
export const tooDeep = message('investigation.too-deep', 'it is deeper than {most:number}');
export const inCircle = message('investigation.in-circle', 'some of its nodes are below themselves');

// What is wrong with a model's answer, in words for the model.
export const noState = message('investigation.no-state', 'The front matter needs a "state", one of {states}.');
export const brokenRules = message('investigation.broken-rules', 'It breaks the rules of the investigation. {why}');
export const wrongLeads = message('investigation.wrong-leads', 'The leads are not in the form asked for: {why}');
export const tooFewLeads = message(
  'investigation.too-few-leads',
  'The number of new leads in it is {count:number}; give {least:number} to {most:number}.',
);

export const lookingInto = message('investigation.looking-into', 'Looking into {id}: {title}');
export const checking = message('investigation.checking', 'Checking {id}: {title}');
export const proposing = message('investigation.proposing', 'Proposing leads below {id}: {title}');
export const checkFailed = message(
  'investigation.check-failed',
  '{id} was refuted by two checks, and is a lead again.',
);
export const nothingLeft = message(
  'investigation.nothing-left',
  '{id}: nothing is left to look into; it is a dead end.',
);
export const openedAgain = message(
  'investigation.opened-again',
  'Nothing is left open before round {rounds:number}: {id} is opened again.',
);
export const firstLead = message('investigation.first-lead', 'Look at the question as a whole: what there is to it.');
export const agentsProfile = message(
  'investigation.agents-profile',
  'The rules of older servers are for agents; an investigation of our own has the profile strict.',
);
export const agentsOnly = message(
  'investigation.agents-only',
  'Agents can be required only where agents lead: through the MCP server.',
);
