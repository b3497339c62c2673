import type { ChangedFile, Diff } from '../../core/ports/workshop.ts';
import { type Change, LONGEST_DIFF } from '../work-store.ts';

/** Lines of context around a change. */
const CONTEXT = 3;

/** A difference where there is no git: for each file one block, from the first line that differs to the last one. */
export async function diffOf(
  changes: readonly Change[],
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>,
): Promise<Diff> {
  const files: ChangedFile[] = [];
  let text = '';
  for (const { path, before, after } of changes) {
    const contents = await read([before, after].flatMap((entry) => (entry ? [entry.id] : [])));
    const [old, now] = [linesOf(before && contents.get(before.id)), linesOf(after && contents.get(after.id))];
    const change = before ? (after ? 'changed' : 'deleted') : 'added';
    const block = old && now ? blockOf(old, now) : { added: 0, removed: 0, text: 'Binary files differ\n' };
    files.push({ path, change, added: block.added, removed: block.removed });
    const names = `--- ${before ? `a/${path}` : '/dev/null'}\n+++ ${after ? `b/${path}` : '/dev/null'}\n`;
    if (text.length < LONGEST_DIFF) text += `diff a/${path} b/${path}\n${names}${block.text}`;
  }
  return { files, text: text.slice(0, LONGEST_DIFF) };
}

/** Undefined if it is no text. */
function linesOf(content: Buffer | undefined): string[] | undefined {
  if (!content) return [];
  if (content.includes(0)) return undefined;
  const lines = content.toString('utf8').split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function blockOf(old: readonly string[], now: readonly string[]): { added: number; removed: number; text: string } {
  let first = 0;
  while (first < old.length && first < now.length && old[first] === now[first]) first++;
  let last = 0;
  while (last < old.length - first && last < now.length - first && old.at(-1 - last) === now.at(-1 - last)) last++;
  const [removed, added] = [old.slice(first, old.length - last), now.slice(first, now.length - last)];
  const above = old.slice(Math.max(0, first - CONTEXT), first);
  const below = old.slice(old.length - last, Math.min(old.length, old.length - last + CONTEXT));
  const around = above.length + below.length;
  const from = first - above.length + 1;
  const head = `@@ -${from},${removed.length + around} +${from},${added.length + around} @@`;
  const lines = [...above.map((line) => ` ${line}`), ...removed.map((line) => `-${line}`)];
  const rest = [...added.map((line) => `+${line}`), ...below.map((line) => ` ${line}`)];
  return { added: added.length, removed: removed.length, text: `${[head, ...lines, ...rest].join('\n')}\n` };
}
