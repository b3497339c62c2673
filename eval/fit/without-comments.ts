import type { WorkspaceIndex } from '../../src/text/index/workspace-index.ts';
import { docString, signatureEnd } from '../../src/text/rank/term-table.ts';

/**
 * Empties all lines of comments, in place. The functions that made-up questions ask for have lost their comments: if
 * others kept theirs, to have none would look like being right.
 */
export function withoutComments({ files, passages, isComment }: WorkspaceIndex): void {
  for (const passage of passages) {
    const lines = passage.file.lines as string[];
    const [from, to] = docString(passage, signatureEnd(passage)) ?? [0, -1];
    for (let row = from; row <= to; row++) lines[row] = '';
  }
  for (const file of files) {
    const lines = file.lines as string[];
    for (let row = 0; row < lines.length; row++) if (isComment(file, row)) lines[row] = '';
  }
}
