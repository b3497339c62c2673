import * as z from 'zod';
import { CommitId } from '../../../../core/ports/workshop.ts';
import { CheckItem, CommandLine, FileGlob, PlanName } from '../../plan/plan.ts';

/**
 * The certainty of something. `reported`: the worker's word. `checked`: the worker's own run of the check. `verified`:
 * ours, newer than the work. `contradicted`: ours says otherwise. `uncheckable`: it cannot be found out here, and needs
 * a person.
 */
export const Word = z.enum(['reported', 'checked', 'verified', 'contradicted', 'uncheckable']);
export type Word = z.infer<typeof Word>;

/** The evidence for one item of a checklist, by its place: `0`, `2.1`. */
export const Evidence = z.object({
  item: z.string().max(100),
  word: Word,
  /** The work that was looked at. */
  commit: CommitId.optional(),
  /** Of a command. */
  exitCode: z.int().optional(),
  outputHash: z.string().max(128).optional(),
  /** Of votes: the weighted mean from 1 to 5 of each. */
  votes: z.array(z.number().min(1).max(5)).max(20).optional(),
  /** Of an assertion: who said so. */
  by: z.string().max(100).optional(),
  /** ISO 8601. */
  time: z.string().max(40).optional(),
  /** The observation, in short: the end of an output, an error. */
  seen: z.string().max(600).optional(),
});
export type Evidence = z.infer<typeof Evidence>;

/** One time that an atom was taken. The loop's counters follow from these. */
export const Try = z.object({
  iteration: z.int().min(1),
  /** A hash of what it was begun with: what came of it is joined only if that is what the atom asks for now. */
  begunWith: z.string().max(40).optional(),
  /** `dropped`: a redirection made it obsolete. Missing while it is under way. */
  ended: z
    .enum(['resolved', 'failed', 'conflict', 'contradicted', 'decomposed', 'probed', 'infeasible', 'dropped'])
    .optional(),
  by: z.string().max(100).optional(),
  seen: z.string().max(1000).optional(),
});
export type Try = z.infer<typeof Try>;

/** The work that a worker left: not joined with the rest yet. */
export const Work = z.object({
  base: CommitId,
  /** Missing if it changed no file. */
  commit: CommitId.optional(),
  by: z.string().max(100),
  summary: z.string().max(2000),
  artifacts: z.array(z.string().max(500)).max(100),
  /** Files that it changed although the atom's `touches` does not name them; the first of many. */
  outside: z.array(z.string().max(300)).max(20).optional(),
});
export type Work = z.infer<typeof Work>;

/** The fields of an atom. Its dependencies are in `links`: `depends-on`, `if-failed`, `discovered-from`. */
export const AtomFields = z
  .object({
    type: z.literal('atom'),
    name: PlanName,
    does: z.string().max(8000).optional(),
    checks: z.array(CheckItem).max(50).optional(),
    touches: z.array(FileGlob).max(100).optional(),
    uses: z.array(z.string().max(1000)).max(50).optional(),
    run: CommandLine.optional(),
    /** `first`: to be probed; afterwards what was found. */
    probe: z
      .union([z.literal('first'), z.object({ feasible: z.boolean(), findings: z.string().max(4000) })])
      .optional(),
    /** A person does it. */
    by: z.literal('person').optional(),
    tries: z.array(Try).max(100).optional(),
    work: Work.optional(),
    evidence: z.array(Evidence).max(100).optional(),
    /** The commit that its work became part of the accepted work with. */
    joined: CommitId.optional(),
    isProposed: z.literal(true).optional(),
  })
  .loose();
export type AtomFields = z.infer<typeof AtomFields>;

/** The fields that it keeps of a group. Which alternatives failed, is in their own nodes. */
export const GroupFields = z
  .object({
    type: z.literal('group'),
    name: PlanName,
    selected: PlanName.optional(),
    /** Choices without an atom are named, too. */
    choices: z.array(PlanName).max(100).optional(),
    /** Each choice: written before the switch. */
    trail: z
      .array(z.object({ selected: PlanName, reason: z.string().max(1000), time: z.string().max(40) }))
      .max(100)
      .optional(),
  })
  .loose();
export type GroupFields = z.infer<typeof GroupFields>;

/** The goal is a node as well, the last one: its checklist is the base case of the plan. */
export const GoalFields = z
  .object({
    type: z.literal('goal'),
    evidence: z.array(Evidence).max(200).optional(),
    tries: z.array(Try).max(100).optional(),
  })
  .loose();
export type GoalFields = z.infer<typeof GoalFields>;

/** `own` in node.json. */
export const OwnFields = z.discriminatedUnion('type', [AtomFields, GroupFields, GoalFields]);
export type OwnFields = z.infer<typeof OwnFields>;

/** Checks what a work graph keeps of a node; undefined if it is none of its nodes. */
export function ownFieldsOf(own: unknown): OwnFields | undefined {
  return OwnFields.safeParse(own).data;
}
