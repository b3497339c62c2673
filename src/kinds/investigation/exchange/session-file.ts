import * as z from 'zod';
import { wrongField } from '../../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import type { SearchFile } from '../../../core/search/search-file.ts';
import { isSameJson } from '../../../core/text/loose-json.ts';
import { oneLine } from '../../../core/text/text.ts';
import { MOST_ROUNDS } from '../descriptor.ts';
import * as say from '../messages.ts';
import { KeptProgress, OwnState } from '../run/kept-data.ts';

// The file in which older servers keep an investigation: one JSON object, named after its id.

/** The most that a file may have; more could not be kept as folders. */
const MOST_NODES = 100_000;
const DEEPEST = 100;
const NODE_ID = /^R\d+\.[A-Za-z0-9]+$/;

/** A committed node. Fields that we do not know are kept. */
const FileNode = z.looseObject({
  id: z.string(),
  parent: z.string().nullable(),
  state: OwnState,
  title: z.string(),
  findings: z.string().nullish(),
  children: z.array(z.string()).optional(),
  round: z.int().min(0).optional(),
});
export type FileNode = z.infer<typeof FileNode>;

/** A proposed node. */
const FileProposal = z.looseObject({
  id: z.string(),
  parent: z.string().nullable(),
  title: z.string(),
  plannedAction: z.string(),
  proposedAt: z.number().optional(),
});
export type FileProposal = z.infer<typeof FileProposal>;

const Moment = z.union([z.number(), z.string()]);

/** The fields of our own investigations that the source does not have; missing where the rest tells them. */
export const OurPart = z.looseObject({
  profile: z.string().optional(),
  title: z.string().max(1000).optional(),
  minRounds: z.int().min(1).max(MOST_ROUNDS).optional(),
  requireAgents: z.boolean().optional(),
  commits: z.int().min(0).optional(),
  nodes: z
    .record(
      z.string(),
      z.looseObject({
        plannedAction: z.string().optional(),
        proposedAt: z.number().optional(),
        commit: z.int().min(0).optional(),
        agentId: z.string().max(100).optional(),
      }),
    )
    .optional(),
});
export type OurPart = z.infer<typeof OurPart>;

const SessionFile = z.looseObject({
  sessionId: z.string().max(100),
  query: z.string().max(100_000),
  projectDir: z.string().optional(),
  minRoots: z.number().optional(),
  currentRound: z.number().optional(),
  currentBatch: z.number().optional(),
  nodes: z.record(z.string(), FileNode),
  // The source adds these two to files of its first days.
  pendingProposals: z.record(z.string(), FileProposal).optional(),
  usedAgentIds: z.record(z.string(), z.string()).optional(),
  createdAt: Moment.optional(),
  updatedAt: Moment.optional(),
  thoughtTree: OurPart.optional(),
});
export type SessionFile = z.infer<typeof SessionFile>;

/** Tells whether a JSON value looks like one. */
export function isSessionFile(value: unknown): boolean {
  const Looks = z.looseObject({ sessionId: z.unknown(), query: z.unknown(), nodes: z.unknown() });
  const has = Looks.safeParse(value).data;
  return has !== undefined && Object.hasOwn(has, 'sessionId') && Object.hasOwn(has, 'query');
}

/**
 * Reads a file, whoever wrote it: its nodes form trees, parents are committed, every node is there once.
 * @param value parsed JSON
 * @throws ThoughtTreeError `damaged` saying what is wrong
 */
export function readSessionFile(value: unknown): SessionFile {
  const result = SessionFile.safeParse(value);
  if (!result.success) throw wrong(wrongField(result.error));
  const { nodes, pendingProposals = {} } = result.data;
  const all = [...Object.entries(nodes), ...Object.entries(pendingProposals)];
  if (all.length > MOST_NODES) throw wrong(say.tooManyNodes({ nodes: all.length, most: MOST_NODES }));
  for (const [id, node] of all) {
    if (!NODE_ID.test(id) || id.length > 100 || node.id !== id) throw wrong(say.wrongId({ node: shown(id) }));
    if (node.parent !== null && !Object.hasOwn(nodes, node.parent))
      throw wrong(say.noParent({ node: shown(id), parent: shown(node.parent) }));
  }
  for (const id of Object.keys(pendingProposals)) if (Object.hasOwn(nodes, id)) throw wrong(say.twice({ node: id }));
  checkDepths(nodes);
  return result.data;
}

/** The nodes of a file, parents before children. @throws ThoughtTreeError `damaged` if some are below themselves */
function checkDepths(nodes: SessionFile['nodes']): void {
  const below = Map.groupBy(Object.values(nodes), ({ parent }) => parent);
  let level = below.get(null) ?? [];
  let reached = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= DEEPEST) throw wrong(say.tooDeep({ most: DEEPEST }));
    reached += level.length;
    level = level.flatMap(({ id }) => below.get(id) ?? []);
  }
  if (reached < Object.keys(nodes).length) throw wrong(say.inCircle());
}

function shown(text: string): string {
  return oneLine(text, 60);
}

function wrong(why: Parameters<typeof say.wrongFile>[0]['why']): ThoughtTreeError {
  return new ThoughtTreeError('damaged', say.wrongFile({ why }));
}

// Fields that a file says in another way than we would are kept, so that the file comes back as it was.

/** A value as a file has it, and what we would write instead; either may be missing. */
const Leftover = z.object({ was: z.json().optional(), as: z.json().optional() });

/** Values by the names of their fields. */
const Leftovers = z.record(z.string(), Leftover);
type Leftovers = z.infer<typeof Leftovers>;

type Fields = Readonly<Record<string, unknown>>;

/** Returns what of a file would be lost if it were written from what we know; undefined if nothing would. */
export function leftoversOf(said: Fields, derived: Fields): Leftovers | undefined {
  const names = new Set([...Object.keys(said), ...Object.keys(derived)]);
  const differing = [...names].filter((name) => !isSameJson(fieldOf(said, name), fieldOf(derived, name)));
  if (differing.length === 0) return undefined;
  return Object.fromEntries(
    differing.map((name) => {
      const [was, as] = [fieldOf(said, name), fieldOf(derived, name)];
      return [name, { ...(was !== undefined && { was }), ...(as !== undefined && { as }) } as Leftovers[string]];
    }),
  );
}

/** Returns the derived fields, with those that have not changed since the file was read as they were there. */
export function restored(derived: Fields, leftovers: unknown): Record<string, unknown> {
  const { data = {} } = Leftovers.safeParse(leftovers);
  const fields = new Map(Object.entries(derived));
  for (const [name, { was, as }] of Object.entries(data)) {
    if (!isSameJson(fields.get(name), as)) continue;
    if (was === undefined) fields.delete(name);
    else fields.set(name, was);
  }
  return Object.fromEntries(fields);
}

function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The parts of its file for which an imported investigation has no place in the tree: `imported` in its options. */
const Imported = z.object({
  /** The counts of another program; our own journal knows better as soon as there is a call. */
  progress: KeptProgress.optional(),
  /** Agents that were used for nodes which are not in the file. */
  usedAgents: z.array(z.string()).optional(),
  file: Leftovers.optional(),
  nodes: z.record(z.string(), Leftovers).optional(),
  pending: z.record(z.string(), Leftovers).optional(),
  /** Empty lines and spaces around findings, by node. */
  around: z.record(z.string(), z.tuple([z.string(), z.string()])).optional(),
  /** Findings that a document cannot have exactly as they were, by node. */
  findings: z.record(z.string(), z.string()).optional(),
});
export type Imported = z.infer<typeof Imported>;

/** Returns the parts that an imported investigation keeps of its file; nothing for any other. */
export function importedIn({ options }: Pick<SearchFile, 'options'>): Imported {
  return Imported.safeParse(options['imported']).data ?? {};
}
