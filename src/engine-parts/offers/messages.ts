import { counted, message } from '../../core/messages/message.ts';

export const noSuchOffer = message('engine.no-such-offer', 'There is no offer "{offer}" in this search.');
export const offerAnswered = message(
  'engine.offer-answered',
  'The offer "{offer}" is already answered; the first answer counts.',
);
export const offerWithdrawn = message(
  'engine.offer-withdrawn',
  'The offer "{offer}" is withdrawn: what it is about was changed, pruned or removed. Nothing was changed.',
);
export const offerTaken = message('engine.offer-taken', 'The offer "{offer}" is taken by {by}.');
export const offerTakenUntil = message(
  'engine.offer-taken-until',
  'The offer "{offer}" is taken by {by}, until {until} at the latest.',
);
export const offerTooLate = message(
  'engine.offer-too-late',
  'The offer "{offer}" has expired, so that others may take it. Take it again to answer it; nothing was changed.',
);
export const answerWrong = message('engine.answers-wrong', 'None of these answers is accepted: {why}');
export const answersWrong = message(
  'engine.several-answers-wrong',
  'None of these answers is accepted: {count:number} of them are wrong.',
);
export const offerYours = message('engine.offer-yours', 'The offer "{offer}" is yours.');
export const offerYoursUntil = message(
  'engine.offer-yours-until',
  'The offer "{offer}" is yours until {until}; take it again before then to keep it.',
);
export const offerGivenBack = message('engine.offer-given-back', 'The offer "{offer}" is available to others.');
export const answersApplied = counted(
  'engine.answers-applied',
  '1 answer is accepted.',
  '{count:number} answers are accepted.',
);
