/** The beginning of an answer that contains the model's reasoning: a tag of XML or in brackets, or a channel. */
const OPENING = /^\s*(?:<(?:think|thinking|thoughts?|reasoning)>|\[think\]|<\|channel\|?>(?:thought|analysis)\b)/i;
/** The marks that may end it, and the fences in which they are only quoted. */
const ENDS =
  /^[^\S\n]{0,3}(?:`{3}|~{3})|<\/(?:think|thinking|thoughts?|reasoning)>|\[\/think\]|<channel\|>|<\|channel\|?>final\b(?:<\|message\|>)?/gim;
/** Where a document has begun, so that what it says of such tags is its own. */
const DOCUMENT = /^(?:---[^\S\n]*\n|#{1,6}\s)/m;
/** The text that may follow the end of reasoning that has no beginning: a new line, or what an answer begins with. */
const ANSWER = /^[^\S\n]*(?:\n|<output>|---|#|[[{])/i;
/** Some think in several blocks. */
const MOST_BLOCKS = 9;

/** An answer, and what its model thought before it. */
export interface Thought {
  readonly text: string;
  readonly reasoning: string;
}

/**
 * Takes the reasoning off that a server left at the beginning of an answer, also where only its end is marked. Whatever
 * stands in the answer itself stays as it is.
 */
export function withoutReasoning(answer: string): Thought {
  let at = 0;
  for (let blocks = 0; blocks < MOST_BLOCKS; blocks++) {
    const end = endOfReasoning(answer.slice(at));
    if (end === 0) break;
    at += end;
  }
  return { text: at === 0 ? answer : answer.slice(at).trimStart(), reasoning: answer.slice(0, at) };
}

/** Where the reasoning ends that a text begins with; 0 if it begins with none. */
function endOfReasoning(text: string): number {
  const opening = OPENING.exec(text)?.[0];
  const { free, first } = endsIn(text);
  const end = opening === undefined ? free : (free ?? first);
  if (!end) {
    // It never came to an end, unless the tag is the first word of a text.
    return opening !== undefined && /^[^\S\n]*(?:\n|$)/.test(text.slice(opening.length)) ? text.length : 0;
  }
  const after = end.index + end[0].length;
  return opening !== undefined || isEnd(text.slice(0, end.index), text.slice(after)) ? after : 0;
}

/** Tells whether the tag between two texts is the end of reasoning, rather than something that a document says. */
function isEnd(before: string, after: string): boolean {
  const isInCode = before.split('`').length % 2 === 0;
  return !isInCode && !DOCUMENT.test(before) && ANSWER.test(after) && after.trim() !== '';
}

/** The first end in a text, and the first one that is in no fence. */
function endsIn(text: string): { readonly free?: RegExpExecArray; readonly first?: RegExpExecArray } {
  let first: RegExpExecArray | undefined;
  let isFenced = false;
  for (const each of text.matchAll(ENDS)) {
    if (/[`~]$/.test(each[0])) isFenced = !isFenced;
    else if (!isFenced) return { free: each, first: first ?? each };
    else first ??= each;
  }
  return first ? { first } : {};
}
