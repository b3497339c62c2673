import { basename } from 'node:path';
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { foreign } from '../core/messages/message.ts';
import { takingAt } from '../core/offers/offer-book.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { pathOf, walk } from '../core/tree/tree.ts';
import { descriptorOf, loadKind } from '../engine/kind.ts';
import type { ToolAnswer } from '../searches/agent-tools/agent-host.ts';
import { placeNamed } from '../searches/agent-tools/find-place.ts';
import { shownTitle } from '../searches/agent-tools/safe-text.ts';
import { overviewOf } from '../searches/reader/search-overview.ts';
import { findSearches } from '../store/open-store.ts';
import { atomNotOpen } from './messages.ts';
import type { TreeProgram } from './tree-program.ts';
import { answered, type CallTree } from './tree-tools.ts';

/** Atoms that one answer lists, at most. */
const MOST_LISTED = 50;
/** The time that a call waits until what was handed in is checked, and the interval of looks, in seconds. */
const LONGEST_WAIT = 45;
const LOOK = 1;

const search = z.string().min(1).max(300).describe('The search, by the name that atom_next or tree_list gave.');
const atom = z.string().min(1).max(100).describe('The name of the atom, such as A1.');
const as = z.string().min(1).max(100).optional().describe('Who you are, if several agents share one server.');

const NextInput = z.object({ search: search.optional() });
const TakeInput = z.object({ search, atom, as });
const DoneInput = z.object({
  search,
  atom,
  success: z.boolean().default(true).describe('Whether the work is done; false hands it back with what you found.'),
  summary: z.string().min(1).max(2000).describe('What you did, in a few sentences.'),
  artifacts: z.array(z.string().min(1).max(500)).max(100).default([]).describe('Paths of files that came about.'),
  as,
});

const Next = z.object({
  atoms: z.array(z.object({ search: z.string(), atom: z.string(), title: z.string(), offer: z.string() })),
  more: z.number(),
  next: z.string(),
});
const Taken = z.object({
  search: z.string(),
  atom: z.string(),
  title: z.string(),
  offer: z.string(),
  /** The criterion, what came about before it, and the folder to work in. */
  ask: z.unknown(),
  until: z.string().optional(),
});
const Done = z.object({
  search: z.string(),
  atom: z.string(),
  accepted: z.boolean(),
  message: z.string(),
  state: z.string(),
  /** The evidence of each check, by those who ran it. */
  evidence: z.unknown(),
  next: z.string(),
});

/** Adds the tools with which an agent outside does a piece of work of a goal, always in the same order. */
export function addAtomTools(server: McpServer, program: TreeProgram, isReadOnly: boolean): void {
  const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const writes = { ...reads, readOnlyHint: false, idempotentHint: false };
  server.registerTool(
    'atom_next',
    {
      title: 'Work that waits',
      description: 'Lists the pieces of work (atoms) of goals that wait for somebody outside, the most urgent first.',
      inputSchema: NextInput,
      outputSchema: Next,
      annotations: reads,
    },
    (args: z.infer<typeof NextInput>, ctx: ServerContext) =>
      answered(server, program, ctx, () => nextAtoms(program, args.search)),
  );
  if (isReadOnly) return;
  server.registerTool(
    'atom_take',
    {
      title: 'Take a piece of work',
      description:
        'Takes an atom, so that nobody else works on it, and gives its criterion, what came about before it, and the ' +
        'folder to work in. Change files only there; do not commit.',
      inputSchema: TakeInput,
      outputSchema: Taken,
      annotations: writes,
    },
    (args: z.infer<typeof TakeInput>, ctx: ServerContext) =>
      answered(server, program, ctx, (call) => takeAtom(program, args, call)),
  );
  server.registerTool(
    'atom_done',
    {
      title: 'Hand a piece of work in',
      description:
        'Hands in what you did for an atom that you took. It is joined with the rest and its checks are run here: ' +
        'only then does it count.',
      inputSchema: DoneInput,
      outputSchema: Done,
      annotations: { ...writes, openWorldHint: true },
    },
    (args: z.infer<typeof DoneInput>, ctx: ServerContext) =>
      answered(server, program, ctx, (call) => handIn(program, args, call)),
  );
}

async function nextAtoms(program: TreeProgram, named: string | undefined): Promise<ToolAnswer> {
  const names = named === undefined ? await searchesWithAtoms(program) : [named];
  const seen = (await Promise.all(names.map((name) => atomsIn(program, name)))).flat();
  const open = seen.flatMap(({ offer, ...each }) => (offer && !offer.isTaken ? [{ ...each, offer }] : []));
  const atoms = open
    .slice(0, MOST_LISTED)
    .map(({ search: of, atom: name, title, offer }) => ({ search: of, atom: name, title, offer: offer.id }));
  const more = open.length - atoms.length;
  const next = hintFor(seen, atoms.length);
  const lines = atoms.map(({ search: of, atom: name, title }) => `- ${name} of ${of}: ${title}`);
  return { text: [...lines, next].join('\n'), data: { atoms, more, next } };
}

function hintFor(seen: readonly SeenAtom[], open: number): string {
  if (open > 0) return 'atom_take with its search and atom gives one to you.';
  const resting = seen.find(({ isReady, isActive }) => isReady && !isActive);
  if (resting)
    return `Nobody works on ${resting.search}: tree_act with "resume" continues it, and offers what no command or model does.`;
  const taken = seen.filter(({ offer }) => offer?.isTaken).length;
  return taken > 0 ? `Nothing waits: ${taken} taken by others.` : 'Nothing waits for somebody outside.';
}

/** @throws ThoughtTreeError `not-found` if nothing of that name waits for somebody outside */
async function offeredAtom(program: TreeProgram, of: string, name: string) {
  const found = (await atomsIn(program, of)).find((each) => each.atom === name);
  if (!found?.offer) throw new ThoughtTreeError('not-found', atomNotOpen({ atom: name, search: of }));
  return { ...found, offer: found.offer };
}

async function takeAtom(
  program: TreeProgram,
  { search: of, atom: name, as: by }: z.infer<typeof TakeInput>,
  call: CallTree,
): Promise<ToolAnswer> {
  const { offer, title } = await offeredAtom(program, of, name);
  const taking = { offer: offer.id, ...(by !== undefined && { as: by }) };
  const { data } = await call('tree_act', { search: of, action: 'take', arguments: taking });
  const { ok, message } = doneIn(data);
  if (!ok) throw new ThoughtTreeError('offer-taken', foreign({ text: message }));
  const { offer: now, expiresAt } = (data['value'] ?? {}) as { offer?: { ask?: unknown }; expiresAt?: string };
  const ask = now?.ask ?? offer.ask;
  const taken = { search: of, atom: name, title, offer: offer.id, ask, ...(expiresAt && { until: expiresAt }) };
  return { text: `${message}\n${JSON.stringify(ask, null, 2)}`, data: taken };
}

async function handIn(
  program: TreeProgram,
  { search: of, atom: name, as: by, ...result }: z.infer<typeof DoneInput>,
  call: CallTree,
): Promise<ToolAnswer> {
  const { offer } = await offeredAtom(program, of, name);
  const args = { answers: [{ offer: offer.id, result }], ...(by !== undefined && { as: by }) };
  const { data } = await call('tree_act', { search: of, action: 'answer', arguments: args });
  const { ok, message } = doneIn(data);
  const after = ok ? await untilChecked(program, of, name, call) : undefined;
  const { state = 'pending', evidence = [] } = after ?? {};
  const next = state === 'resolved' ? 'atom_next lists what waits now.' : 'tree_read with its node says what was seen.';
  const told = { search: of, atom: name, accepted: ok, message, state, evidence, next: ok ? next : 'Take it again.' };
  return { text: `${message}\n${name} is ${state}.\n${JSON.stringify(evidence)}\n${told.next}`, data: told };
}

/** Waits until work is checked: where nobody ran the search it runs now, until nothing is left that can be done here. */
async function untilChecked(
  program: TreeProgram,
  of: string,
  name: string,
  call: CallTree,
): Promise<SeenAtom | undefined> {
  for (let waited = 0; ; waited += LOOK) {
    const found = (await atomsIn(program, of)).find((each) => each.atom === name);
    if (!found?.isActive || found.state !== 'in_progress' || waited >= LONGEST_WAIT) return found;
    await call('tree_wait', { search: of, seconds: LOOK });
  }
}

function doneIn(data: Readonly<Record<string, unknown>>): { readonly ok: boolean; readonly message: string } {
  return data['done'] as { ok: boolean; message: string };
}

/** An atom as agents see it. */
interface SeenAtom {
  readonly search: string;
  readonly atom: string;
  readonly title: string;
  readonly state: string;
  readonly isReady: boolean;
  readonly evidence: unknown;
  /** True if somebody runs the search. */
  readonly isActive: boolean;
  /** Missing where nobody outside can do it now. */
  readonly offer: { readonly id: string; readonly ask: unknown; readonly isTaken: boolean } | undefined;
}

/** Returns the searches of a server that consist of pieces of work, by their names. */
async function searchesWithAtoms({ kinds, folders }: TreeProgram): Promise<string[]> {
  const found = await findSearches(folders[0].searches);
  return found.flatMap(({ folder, search }) =>
    search && descriptorOf(kinds, search.kind)?.work ? [basename(folder)] : [],
  );
}

/**
 * Returns the atoms of a search, in its order; none of one that has no such nodes. @throws ThoughtTreeError `not-found`
 */
async function atomsIn(program: TreeProgram, search: string): Promise<SeenAtom[]> {
  const { folder } = await placeNamed(program, search);
  const { tree, record, file, reader } = await overviewOf(program.kinds, folder);
  const said = (await loadKind(program.kinds, file)).extras.status?.(tree, record);
  const now = Date.now();
  const offers = new Map(
    record.offers.open.map((open) => {
      const { id, ask, nodes } = open.offer;
      return [nodes[0], { id, ask, isTaken: takingAt(open, now) !== undefined }];
    }),
  );
  return [...walk(tree.root)].flatMap((node) => {
    const told = said?.ofNode(node) as Partial<Record<string, unknown>> | undefined;
    if (typeof told?.['atom'] !== 'string') return [];
    const { atom, state, ready, evidence } = told;
    return {
      search,
      atom,
      title: shownTitle(node.title),
      state: String(state),
      isReady: ready === true,
      evidence,
      isActive: reader.isActive,
      offer: offers.get(pathOf(node)),
    };
  });
}
