import type { CommitId, Diff, Workshop } from '../../../core/ports/workshop.ts';
import type { CheckItem } from '../plan/plan.ts';
import { guardOf } from './guarded-paths.ts';

const FILE = 'diff --git ';

/** A diff of work in which the files come first that it is judged by. */
export async function judgesFirst(
  shop: Pick<Workshop, 'fileAt' | 'pathsAt'>,
  { files, text }: Diff,
  base: CommitId,
  items: readonly CheckItem[],
): Promise<Diff> {
  const guard = await guardOf(shop, base, items);
  const judges = files.filter((file) => guard(file) !== undefined);
  if (judges.length === 0) return { files, text };
  const [head = '', ...parts] = text.split(/^diff --git /m);
  const names = judges.map(({ path }) => ` b/${path}`);
  const isFirst = (part: string): boolean => names.includes(part.slice(part.indexOf(' b/'), part.indexOf('\n')));
  const ordered = [...parts.filter(isFirst), ...parts.filter((part) => !isFirst(part))];
  const others = files.filter((file) => !judges.includes(file));
  return { files: [...judges, ...others], text: head + ordered.map((part) => FILE + part).join('') };
}
