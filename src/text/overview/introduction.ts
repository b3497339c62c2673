import type { SourceFile } from '../files/source-file.ts';
import { firstSentence, sentenceIn } from '../find/first-sentence.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';
import { MOST_OPENING } from './parts.ts';
import { firstParagraph } from './readme.ts';

/** Returns what a part's own introduction says. */
export function introducing(file: SourceFile, index: WorkspaceIndex): string {
  if (file.role === 'docs') return sentenceIn(firstParagraph(file)?.text ?? '');
  const opening = file.lines.slice(0, MOST_OPENING).join('\n');
  const [, mark, docstring = ''] = /^\s*(?:#[^\n]*\n\s*)*[rbu]{0,2}("""|''')([\s\S]{1,600})/i.exec(opening) ?? [];
  if (mark !== undefined) return sentenceIn((docstring.split(mark)[0] ?? '').split(/\n\s*\n/)[0] ?? '');
  const [first] = index.passages.filter((passage) => passage.file === file);
  const end = first?.kind === 'rest' ? endOfIntroduction(file, index) : 0;
  return first && end > 0 ? firstSentence({ ...first, start: 0, end: end - 1, head: end }, index) : '';
}

/** Counts rows at a file's top that say something of it: comments, but not the one right above some code. */
function endOfIntroduction(file: SourceFile, index: WorkspaceIndex): number {
  let gap = 0;
  for (const [row, line] of file.lines.entries()) {
    if (line.trim() === '') gap = row;
    else if (!index.isComment(file, row) && !/^(?:#!|["']use )/.test(line))
      return OF_FILE.test(line) || /^\s*\/\/!/.test(file.lines[row - 1] ?? '') ? row : gap;
  }
  return file.lines.length;
}

/** Code that stands below the comment on a file. */
const OF_FILE = /^(?:package|module|library)\b/;
