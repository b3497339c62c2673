import * as z from 'zod';
import { CommitId } from '../../../core/ports/workshop.ts';
import { oneLine } from '../../../core/text/text.ts';
import { CheckItem, CommandLine, FileGlob, PlanName } from '../plan/plan.ts';

/** The most tries that a node keeps; the first ones go. */
const MOST_TRIES = 100;
const LONGEST_SEEN = 900;

type WithTries = Pick<AtomFields, 'tries'> | Pick<GoalFields, 'tries'>;

/**
 * A node's tries with one more under way; one that a kill or a stop left under way goes on, unless it was begun with something
 * else.
 */
export function begun(own: WithTries, iteration: number, by?: string, begunWith?: string): Try[] {
  const { tries = [] } = own;
  const last = tries.at(-1);
  const added = { ...(by && { by: by.slice(0, 100) }), ...(begunWith && { begunWith }) };
  if (!last || last.ended !== undefined) return [...tries.slice(1 - MOST_TRIES), { iteration, ...added }];
  if ((last.begunWith ?? begunWith) === begunWith) return [...tries.slice(0, -1), { ...last, ...added }];
  return begun({ tries: ended(own, 'dropped') }, iteration, by, begunWith);
}

/** Returns the tries with the last one ended. */
export function ended({ tries = [] }: WithTries, as: NonNullable<Try['ended']>, seen?: string): Try[] {
  const last = tries.at(-1) ?? { iteration: 1 };
  const said = seen === undefined ? {} : { seen: lastOf(seen, LONGEST_SEEN) };
  return [...tries.slice(0, -1), { ...last, ended: as, ...said }];
}

/** Returns the end of what was seen, as that is where errors are said. */
export function lastOf(text: string, longest: number): string {
  const shown = text.toWellFormed().trim();
  return shown.length <= longest ? shown : `…${shown.slice(1 - longest).toWellFormed()}`;
}

/** Returns what was seen at the failed tries of an atom, newest last. */
export function seenBefore({ tries = [] }: WithTries): string[] {
  return tries.flatMap(({ seen }) => (seen === undefined ? [] : [seen])).slice(-5);
}

/** Describes a try in one line, for a document. */
export function triedLine({ iteration, ended: as, by, seen }: Try): string {
  return oneLine(
    [`${iteration}.`, as ?? 'under way', by && `(${by})`, seen && `: ${seen}`].filter(Boolean).join(' '),
    400,
  );
}

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
