import { counted, message } from '../../core/messages/message.ts';

export const solutions = message('investigation.solutions', 'What was found');
export const noAnswer = message('investigation.no-answer', 'No answer was found.');
export const notEnded = message('investigation.not-ended', 'The investigation continues: {why}');
export const theories = message('investigation.theories', 'Theories');
export const refuted = message('investigation.refuted', 'Refuted by a check');
export const deadEnds = message('investigation.dead-ends', 'Dead ends');
export const open = message('investigation.open', 'Still open');
export const sources = message('investigation.sources', 'References');
export const unverified = counted(
  'investigation.unverified',
  '1 node came without an agent whose session was found.',
  '{count:number} nodes came without an agent whose session was found.',
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
