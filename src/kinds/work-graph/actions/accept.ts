import * as z from 'zod';
import type { Message } from '../../../core/messages/message.ts';
import { CommitId, type Diff, type Workshop } from '../../../core/ports/workshop.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import { pathOf, type TreeNode, walk } from '../../../core/tree/tree.ts';
import type { Action, SearchContext } from '../../../engine/context.ts';
import { listed } from '../evidence/check-work.ts';
import { judgesFirst } from '../evidence/guarded-paths.ts';
import * as say from '../messages.ts';
import { ownFieldsOf } from '../run/own-fields.ts';

/** The longest text of a diff that an action gives, in characters. */
const LONGEST_TEXT = 300_000;

const MOST_NAMED = 10;

const File = z.object({
  path: z.string(),
  change: z.enum(['added', 'changed', 'deleted']),
  added: z.number(),
  removed: z.number(),
});
const Changes = z.object({
  files: z.array(File),
  /** The unified diff, cut off after some length. */
  text: z.string(),
  isCut: z.boolean(),
  /** The atoms whose work is part of it. */
  parts: z.array(z.object({ path: z.string(), title: z.string() })).optional(),
  /** The files that an atom changed although it does not name them. */
  outside: z.array(z.string()).optional(),
  /** Of a single file: its text on both sides, where there is one. */
  before: z.string().optional(),
  after: z.string().optional(),
});
type Changes = z.infer<typeof Changes>;

const DiffArgs = z.object({ file: z.string().max(1000).optional() });

/** Shows what the accepted work changes in the workspace's last commit; of an atom, what was made for it. */
export const diff: Action<z.infer<typeof DiffArgs>, Changes> = {
  args: DiffArgs,
  result: Changes,
  tellsItself: true,
  async run({ ctx, node }, { file }) {
    const shop = shopOf(ctx);
    const [from, to] = node.parent ? commitsOf(node) : [await shop.start(), await shop.tip()];
    if (from === undefined || to === undefined) return changesOf(NO_DIFF);
    if (file !== undefined) return await fileOf(shop, [from, to], file);
    const found = await shop.diff(from, to);
    if (!node.parent) return { ...changesOf(found), ...outsideIn(ctx, found), parts: partsIn(ctx) };
    const own = ownFieldsOf(node.file?.own);
    return changesOf(await judgesFirst(shop, found, from, (own?.type === 'atom' && own.checks) || []));
  },
  say: changedSaid,
};

const NO_DIFF: Diff = { files: [], text: '' };

/** Returns the commits of an atom: the one that it was made on, and its own. */
function commitsOf(node: TreeNode): [CommitId, CommitId] | [undefined, undefined] {
  const own = ownFieldsOf(node.file?.own);
  const work = own?.type === 'atom' ? own.work : undefined;
  return work?.commit ? [work.base, work.commit] : [undefined, undefined];
}

/** The atoms whose work is accepted, in the order of the tree. */
function partsIn({ tree }: Pick<SearchContext, 'tree'>): NonNullable<Changes['parts']> {
  const parts = [...walk(tree.root)].filter((node) => {
    const own = ownFieldsOf(node.file?.own);
    return own?.type === 'atom' && own.joined !== undefined && own.work?.commit !== undefined;
  });
  return parts.map((node) => ({ path: pathOf(node), title: node.title }));
}

/**
 * Returns the files of a diff that an atom changed although it does not name them: whoever accepts them should know
 * before.
 */
function outsideIn({ tree }: Pick<SearchContext, 'tree'>, { files }: Diff): Pick<Changes, 'outside'> {
  const changed = new Set(files.map(({ path }) => path));
  const outside = [...walk(tree.root)].flatMap((node) => {
    const own = ownFieldsOf(node.file?.own);
    return (own?.type === 'atom' && own.joined !== undefined && own.work?.outside) || [];
  });
  const found = [...new Set(outside)].filter((path) => changed.has(path));
  return found.length > 0 ? { outside: found } : {};
}

/** A single file on both sides. */
async function fileOf(shop: Workshop, [from, to]: [CommitId, CommitId], path: string): Promise<Changes> {
  const [before, after] = await Promise.all([shop.fileAt(from, path), shop.fileAt(to, path)]);
  return {
    ...changesOf(NO_DIFF),
    ...(before !== undefined && { before: before.slice(0, LONGEST_TEXT) }),
    ...(after !== undefined && { after: after.slice(0, LONGEST_TEXT) }),
  };
}

const AcceptArgs = z.object({
  dryRun: z.boolean().optional(),
  /** True if it is taken back. */
  undo: z.boolean().optional(),
  force: z.boolean().optional(),
});
const Accepted = Changes.extend({
  commit: CommitId.optional(),
  undone: z.boolean().optional(),
  changed: z.number().optional(),
  replaced: z.array(z.string()).optional(),
  lost: z.array(z.string()).optional(),
});
type Accepted = z.infer<typeof Accepted>;

/** Brings all accepted work into the files of the workspace, or takes it back. */
export const accept: Action<z.infer<typeof AcceptArgs>, Accepted> = {
  args: AcceptArgs,
  result: Accepted,
  async run({ ctx }, { dryRun, undo }) {
    const shop = shopOf(ctx);
    const found = (undo ? await shop.inFiles() : await acceptedDiff(shop)) ?? NO_DIFF;
    const changes = { ...changesOf(found), ...(undo ? {} : outsideIn(ctx, found)) };
    if (dryRun === true || (changes.files.length === 0 && undo !== true)) return changes;
    const { signal } = new AbortController();
    const { commit, changed, replaced, lost } = undo ? await shop.undoAccept(signal) : await shop.accept(signal);
    return { ...changes, commit, changed, replaced: [...replaced], lost: [...lost], ...(undo && { undone: true }) };
  },
  say: (done) => (done.commit === undefined ? changedSaid(done) : acceptedSaid(done)),
};

/** Says what was accepted, and nothing about files that were not looked at. */
function acceptedSaid({ changed: count = 0, undone, replaced = [], lost = [] }: Accepted): Message {
  if (undone) return count === 0 ? say.nothingToUndo() : say.undone({ count });
  if (count === 0) return say.nothingToAccept();
  const paths = lost.slice(0, MOST_NAMED).map((path) => oneLine(path, 200));
  const named = lost.length > MOST_NAMED ? `${paths.join(', ')} … (${lost.length})` : paths.join(', ');
  const kept = lost.length > 0 ? say.gitLacks({ paths: named }) : replaced.length > 0 ? say.gitHasAll() : say.allNew();
  return say.brought({ count, kept });
}

/** The actions on accepted work. */
export const acceptActions = { diff, accept };

async function acceptedDiff(shop: Workshop): Promise<Diff> {
  const [start, tip] = [await shop.start(), await shop.tip()];
  return start === undefined || tip === undefined ? { files: [], text: '' } : await shop.diff(start, tip);
}

function changesOf({ files, text }: Diff): Changes {
  const isCut = text.length > LONGEST_TEXT;
  return { files: files.map((file) => ({ ...file })), text: isCut ? text.slice(0, LONGEST_TEXT) : text, isCut };
}

function changedSaid({ files, outside = [] }: Pick<Changes, 'files' | 'outside'>): Message {
  if (files.length === 0) return say.nothingChanges();
  const sum = (of: 'added' | 'removed'): number => files.reduce((all, file) => all + file[of], 0);
  const changes = say.changedFiles({ count: files.length, added: sum('added'), removed: sum('removed') });
  return outside.length > 0 ? say.changesOutside({ changes, paths: listed(outside) }) : changes;
}

/** @throws ThoughtTreeError `declined` where nobody allowed to change files */
function shopOf({ workshop }: Pick<SearchContext, 'workshop'>): Workshop {
  if (!workshop) throw new ThoughtTreeError('declined', say.notHere());
  return workshop;
}
