import { message } from '../../core/messages/message.ts';

// The line above a document

export const documentScore = message('document.score', '{score} of 10');
export const documentCited = message('document.cited', 'quotations {counts}');
export const documentParent = message('document.parent', '↑ above:');
export const documentChildren = message('document.children', '↓ below:');
export const documentMore = message('document.more', 'and {count:number} more');
