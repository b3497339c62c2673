import { message } from '../../../core/messages/message.ts';

// Faults of a model's answer. These words go back to the model, so that it can correct the answer.

export const wrongAnswer = message('work.wrong-answer', 'The answer is not in the form asked for: {why}');
export const wrongPlan = message('work.wrong-plan-of-model', 'The plan cannot be carried out: {why}');
export const wrongScores = message(
  'work.wrong-scores',
  'Each of the {count} criteria needs one score from 1 to 5, in their order.',
);
export const wrongParts = message('work.wrong-parts', 'There have to be 2 to {most} parts.');
export const wrongOrder = message(
  'work.wrong-order-of-parts',
  'Part {part} can only wait for earlier parts, counted from 0.',
);
export const sameName = message('work.same-part', 'Two parts are called "{title}".');
