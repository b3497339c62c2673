import * as z from 'zod';
import { oneLine, withoutCommands } from '../../../core/text/text.ts';

// The plan of a work graph: plan.yaml in the search's folder, and what a person gives with --plan. Once it is accepted, its
// atoms are nodes, which then count; the goal stays here. Everything is bounded: a plan may come with a clone, or from a model.

/** The most atoms and groups of a plan together; the same of a search. */
export const MOST_ATOMS = 2000;

const line = z.string().trim().min(1).max(1000);
const text = z.string().trim().min(1).max(20_000);
const texts = z.array(line).max(200).default([]);

/** The name of an atom or a group in a plan, such as `A1`: letters of any script, digits, `_`, `-` and `.`. */
export const PlanName = z
  .union([z.string(), z.int().transform(String)])
  .pipe(z.string().regex(/^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u));

/** A command line for the system's shell: a person sees all of it before it runs, so nothing in it may change what they see. */
export const CommandLine = z
  .string()
  .trim()
  .min(1)
  .max(4000)
  .refine((line) => withoutCommands(line) === line, 'a command without control characters');

/** A glob of files relative to the workspace, with `/`; nothing leads out of it. */
export const FileGlob = z
  .string()
  .min(1)
  .max(500)
  .refine((glob) => !/^[/\\~]|^[A-Za-z]:|\\|(^|\/)\.\.(\/|$)|\p{Cc}/u.test(glob), 'a path within the workspace, with /')
  .refine(isSimple, 'a glob with few wildcards');

const MOST_IN_SEGMENT = 3;
const MOST_DEEP = 4;
const MOST_BRACES = 3;

/** Tells whether a glob is matched in reasonable time on any path: each wildcard multiplies the ways to match one. */
function isSimple(glob: string): boolean {
  const segments = glob.split('/');
  const isPlain = segments.every((segment) => (segment.match(/\*+/g) ?? []).length <= MOST_IN_SEGMENT);
  const deep = segments.filter((segment) => segment.includes('**')).length;
  const braces = glob.match(/\{/g)?.length ?? 0;
  const isRange = braces > 0 && glob.includes('..');
  return isPlain && deep <= MOST_DEEP && braces <= MOST_BRACES && !isRange && !/[?*+@!]\(/.test(glob);
}

const Criterion = z.object({
  criterion: line,
  description: z.string().max(4000).optional(),
  /** Relative to the others: they are normalised. */
  weight: z.number().positive().max(1000).default(1),
  /** The meaning of scores, by the score as text: 1, 3, 5. */
  levels: z.record(z.string().max(10), z.string().max(1000)).optional(),
});

/** A way to find out whether something is the case. Each has exactly one of these keys. */
export const Check = z.union([
  /** It ends with exit code 0. */
  z.strictObject({ command: CommandLine, timeout: z.number().positive().max(3600).optional() }),
  /** It ends by itself with another exit code. */
  z.strictObject({ not_command: CommandLine, timeout: z.number().positive().max(3600).optional() }),
  /** At least one file matches. */
  z.strictObject({ file: FileGlob }),
  z.strictObject({ not_file: FileGlob }),
  /** A person says so. */
  z.strictObject({ assertion: line }),
  /** Votes by a rubric, 1 to 5; the weighted mean has to reach the threshold. */
  z.strictObject({
    quality: z.object({
      rubric: z.array(Criterion).min(1).max(20),
      threshold: z.number().min(1).max(5).default(3.5),
      /** The files that are judged. */
      scope: FileGlob.optional(),
    }),
  }),
]);
export type Check = z.infer<typeof Check>;

/** One item of a base case, or of what an atom is checked by: a check, all of several, or any of several. */
export interface CheckItem {
  readonly item: string;
  readonly check?: Check | undefined;
  readonly all_of?: readonly CheckItem[] | undefined;
  readonly any_of?: readonly CheckItem[] | undefined;
}
export const CheckItem: z.ZodType<CheckItem> = z.lazy(() =>
  z
    .strictObject({
      item: line,
      check: Check.optional(),
      all_of: z.array(CheckItem).min(1).max(50).optional(),
      any_of: z.array(CheckItem).min(1).max(50).optional(),
    })
    .refine(
      ({ check, all_of, any_of }) => [check, all_of, any_of].filter((each) => each !== undefined).length === 1,
      'exactly one of check, all_of and any_of',
    ),
);

const Goal = {
  goal: text,
  background: z.string().max(20_000).optional(),
  deliverables: texts,
  done: texts,
  constraints: texts,
  in_scope: texts,
  out_of_scope: texts,
  /** Questions that were unclear, and how they were settled: by the person, or by a file of the workspace. */
  clarifications: z
    .array(z.object({ question: line, answer: z.string().max(4000), from: line }))
    .max(50)
    .default([]),
  /** The conditions that have to hold in the end, written before the work. */
  base_case: z.array(CheckItem).min(1).max(100),
  /** Prepares each new checkout, such as `npm ci --offline`. */
  set_up: CommandLine.optional(),
  limits: z
    .strictObject({
      iterations: z.int().min(1).max(1000).default(20),
      parallel: z.int().min(1).max(64).default(3),
      stall: z.int().min(1).max(100).default(3),
    })
    .prefault({}),
} as const;

/** One piece of work. */
export const PlannedAtom = z.strictObject({
  id: PlanName,
  title: line,
  does: z.string().max(20_000).optional(),
  /** Atoms or groups that have to be resolved before; one alternative of a group counts as the group. */
  depends_on: z.union([PlanName.transform((name) => [name]), z.array(PlanName).max(200)]).default([]),
  /** It is done only if that atom failed. */
  if_failed: PlanName.optional(),
  /** The group whose alternative it is. */
  group: PlanName.optional(),
  /** The atom whose part it is. */
  part_of: PlanName.optional(),
  /** Files that it changes. Two atoms that may touch one file never run together. Missing: it may touch anything. */
  touches: z.array(FileGlob).max(100).optional(),
  /** Things it needs for itself alone, such as `db`. */
  uses: z.array(line).max(50).default([]),
  /** The command that does it; without one, an agent, a model with tools, or a person does. */
  run: CommandLine.optional(),
  /** True if somebody has to find out first if it can be done. */
  probe: z.boolean().default(false),
  /** Who does it, if only a person can. */
  by: z.literal('person').optional(),
  /** The checks that show that it is done. */
  checks: z.array(CheckItem).max(50).default([]),
});
export type PlannedAtom = z.infer<typeof PlannedAtom>;

/** Alternatives, of which one has to be resolved. */
export const PlannedGroup = z.strictObject({
  name: PlanName,
  title: line.optional(),
  /** In the order in which they are tried; by default as the atoms are listed. */
  choices: z.array(PlanName).max(100).optional(),
  selected: PlanName.optional(),
  part_of: PlanName.optional(),
});
export type PlannedGroup = z.infer<typeof PlannedGroup>;

/** A plan. That names exist, and nothing waits for itself, is checked by `checkPlan`. */
export const PlanFile = z.strictObject({
  ...Goal,
  atoms: z.array(PlannedAtom).min(1).max(MOST_ATOMS),
  groups: z.array(PlannedGroup).max(MOST_ATOMS).default([]),
  /** Later changes by a person: newest last. */
  corrections: z
    .array(
      z.strictObject({
        time: z.string().max(40),
        type: z.enum(['objective', 'graph', 'constraint', 'binding']),
        what: z.string().max(4000),
      }),
    )
    .max(500)
    .default([]),
});
export type PlanFile = z.infer<typeof PlanFile>;

/** The longest criterion of a rubric, in characters. */
const LONGEST_CRITERION = 900;

type Checked = Pick<PlannedAtom, 'title' | 'does' | 'run' | 'by' | 'checks'>;

/**
 * Returns the checks of an atom. One without checks of its own is not simply believed: a person says whether what a
 * person did is done, and votes, or a person, whether what others did is. Of a command, we see ourselves how it ends.
 */
export function checksOf({ title, does, run, by, checks }: Checked): readonly CheckItem[] {
  if (checks.length > 0 || run !== undefined) return checks;
  const item = oneLine(title, 200);
  if (by === 'person') return [{ item, check: { assertion: item } }];
  const criterion = oneLine(does ?? title, LONGEST_CRITERION) || item;
  return [{ item, check: { quality: { rubric: [{ criterion, weight: 1 }], threshold: 3.5 } } }];
}

/** Returns all command lines of a plan, exactly, each once, in the order in which they come up. */
export function commandsOf({ set_up, atoms, base_case }: PlanFile): string[] {
  const ofAtoms = atoms.flatMap(({ run, checks }) => [...(run === undefined ? [] : [run]), ...commandsIn(checks)]);
  return [...new Set([...(set_up === undefined ? [] : [set_up]), ...ofAtoms, ...commandsIn(base_case)])];
}

/** Returns the command lines that a checklist runs. */
export function commandsIn(items: readonly CheckItem[]): string[] {
  return checksIn(items).flatMap(({ check }) => {
    if ('command' in check) return check.command;
    return 'not_command' in check ? check.not_command : [];
  });
}

/** One check of a checklist. */
export interface NamedCheck {
  readonly item: string;
  readonly check: Check;
}

/** Returns all checks of a checklist, whatever they are nested in. */
export function checksIn(items: readonly CheckItem[]): NamedCheck[] {
  return items.flatMap(({ item, check, all_of, any_of }) => [
    ...(check ? [{ item, check }] : []),
    ...checksIn(all_of ?? any_of ?? []),
  ]);
}
