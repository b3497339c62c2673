import type { ChangedFile, Diff, Workshop } from '../../../core/ports/workshop.ts';
import { isThoughtTreeError } from '../../../core/search/errors.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import { guardOf } from '../evidence/guarded-paths.ts';
import type { PlanFile } from '../plan/plan.ts';
import type { AtomNode, GraphInTree } from '../run/tree/read-graph.ts';
import type { WorkSearch } from '../run/work-search.ts';
import * as say from './messages.ts';

const MOST_ATOMS = 300;
const MOST_FILES = 30;
const LONGEST_LINE = 200;

/** The accepted work atom by atom; files that something is judged by come first. */
export async function changeLines(search: WorkSearch, { atoms }: GraphInTree, plan: PlanFile): Promise<string[]> {
  const { workshop, show } = search;
  if (!workshop) return [];
  const joined = [...atoms].filter(([, { own }]) => own?.joined !== undefined && own.work?.commit !== undefined);
  const lines: string[] = [];
  for (const [name, atom] of joined.slice(0, MOST_ATOMS)) {
    const files = await filesOf(workshop, atom, plan);
    if (files.length === 0) continue;
    const title = plainLine(`${name} ${atom.node.title}`, LONGEST_LINE);
    lines.push(`- ${title}`, ...fileLines(search, files));
  }
  const all = await wholeDiff(workshop);
  if (all.files.length === 0) return [show(say.nothingChanged())];
  const sum = (of: 'added' | 'removed'): number => all.files.reduce((total, file) => total + file[of], 0);
  const whole = show(say.whole({ count: all.files.length, added: sum('added'), removed: sum('removed') }));
  return [...(lines.length > 0 ? [lines.join('\n')] : []), whole];
}

interface Shown extends ChangedFile {
  readonly isJudge: boolean;
  readonly isOutside: boolean;
}

async function filesOf(workshop: Workshop, { own }: AtomNode, plan: PlanFile): Promise<Shown[]> {
  const { work } = own ?? {};
  if (work?.commit === undefined) return [];
  const { files } = await orNothing(workshop.diff(work.base, work.commit));
  const items = [...(own?.checks ?? []), ...plan.base_case];
  const guard = await guardOf(workshop, work.base, items).catch(() => () => undefined);
  const outside = new Set(work.outside);
  const shown = files.map((file) => ({
    ...file,
    isJudge: guard(file) !== undefined,
    isOutside: outside.has(file.path),
  }));
  return [...shown.filter((file) => file.isJudge), ...shown.filter((file) => !file.isJudge)];
}

function fileLines({ show }: WorkSearch, files: readonly Shown[]): string[] {
  const more = files.length - MOST_FILES;
  const lines = files.slice(0, MOST_FILES).map(({ path, added, removed, isJudge, isOutside }) => {
    const plain = plainLine(path, LONGEST_LINE);
    const name = isOutside ? show(say.outside({ path: plain })) : plain;
    return `  - ${isJudge ? show(say.judgesFirst({ path: name })) : name} +${added} −${removed}`;
  });
  return more > 0 ? [...lines, `  - ${show(say.moreFiles({ count: more }))}`] : lines;
}

async function wholeDiff(workshop: Workshop): Promise<Diff> {
  const [start, tip] = [await workshop.start(), await workshop.tip()];
  return start === undefined || tip === undefined
    ? { files: [], text: '' }
    : await orNothing(workshop.diff(start, tip));
}

/** A report is written also where a commit is gone. */
async function orNothing(diff: Promise<Diff>): Promise<Diff> {
  try {
    return await diff;
  } catch (error) {
    if (isThoughtTreeError(error, 'lease-lost')) throw error;
    return { files: [], text: '' };
  }
}
