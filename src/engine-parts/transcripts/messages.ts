import { message } from '../../core/messages/message.ts';

// Why the words of a call are not known

export const callCutOff = message(
  'engine.call-cut-off',
  'The process that made this call ended before an answer came.',
);
export const wordsLost = message(
  'engine.words-lost',
  'Its words were not kept: its process ended before it could keep them, or it still runs.',
);
export const conversationGone = message(
  'engine.conversation-gone',
  'The conversation of this node is gone; it is kept on one computer only.',
);
export const conversationAboveGone = message(
  'engine.conversation-above-gone',
  'A conversation above this node is gone; it is kept on one computer only.',
);
