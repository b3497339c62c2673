import { oneLine } from '../../../core/text/text.ts';

/** An answer, and what it says about the defects that its request numbered. */
export interface AccountedAnswer {
  readonly answer: string;
  /** The defects that it mends, and how. */
  readonly mended: readonly Account[];
  /** The defects that it leaves open, and why; also each one that it does not mention. */
  readonly open: readonly Account[];
}

/** One defect, and what the answer says about it; empty if nothing. */
export interface Account {
  readonly defect: string;
  readonly how: string;
}

const LONGEST_HOW = 500;
const BLOCK = /<defects>([\s\S]*?)(?:<\/defects>|(?=<answer>)|$)/gi;
const LINE = /^\D{0,6}(\d{1,4})\W{1,9}(mended|open)\b([^\n]{0,4000})/iu;
const MARKS = /^[\s*:.,;–—-]{1,20}/;

/**
 * Reads an answer that accounts for defects. What it does not say is mended counts as open; all of it where there is no answer.
 * @param defects as its request numbered them, from 1
 */
export function accountedAnswer(text: string, defects: readonly string[]): AccountedAnswer {
  const blocks = [...text.matchAll(BLOCK)];
  const last = blocks.at(-1);
  const answer = answerIn(text);
  const said =
    last && answer !== '' ? accountsIn(last[1] ?? '') : new Map<number, { isMended: boolean; how: string }>();
  const accounts = defects.map((defect, at) => {
    const account = said.get(at + 1);
    return { defect, how: account?.how ?? '', isMended: account?.isMended === true };
  });
  const plain = ({ defect, how }: Account): Account => ({ defect, how });
  return {
    answer,
    mended: accounts.filter(({ isMended }) => isMended).map(plain),
    open: accounts.filter(({ isMended }) => !isMended).map(plain),
  };
}

/** The first line about each number counts. */
function accountsIn(block: string): Map<number, { isMended: boolean; how: string }> {
  const accounts = new Map<number, { isMended: boolean; how: string }>();
  for (const line of block.split('\n')) {
    const [, number, word = '', how = ''] = LINE.exec(line.trimEnd()) ?? [];
    if (number === undefined || accounts.has(Number(number))) continue;
    accounts.set(Number(number), {
      isMended: word.toLowerCase() === 'mended',
      how: oneLine(how.replace(MARKS, ''), LONGEST_HOW),
    });
  }
  return accounts;
}

/** The text between the marks, else all but the accounts. */
function answerIn(text: string): string {
  const rest = text.replace(BLOCK, '');
  const start = rest.indexOf('<answer>');
  const inside = start < 0 ? rest : rest.slice(start + '<answer>'.length);
  const end = inside.lastIndexOf('</answer>');
  return (end < 0 ? inside : inside.slice(0, end)).trim();
}
