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
