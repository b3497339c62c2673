import * as z from 'zod';
import { foreign } from '../../../src/core/messages/message.ts';
import type { AnswerProblem } from '../../../src/core/offers/verdict.ts';
import { childSlug } from '../../../src/core/tree/slug.ts';
import { pathOf, type TreeNode } from '../../../src/core/tree/tree.ts';
import type { NodeId } from '../../../src/core/tree/tree-node.ts';
import type { AnsweredOffer, Executors, OfferProtocol, SearchContext } from '../../../src/engine/context.ts';
import type { ErrandOptions } from './errands-descriptor.ts';

/** The type of links from an errand to those that have to be done first. */
export const AFTER = 'after';

/** How long whoever takes an errand may keep it, in milliseconds. */
export const ERRAND_MS = 60_000;

/** How long an errand took: what this kind keeps of a node. */
export const Hours = z.number().nonnegative().optional();

const Title = z.string().min(1).max(200);

/** An errand that is proposed: what it is called, and, by their titles, which of the same answer have to be done first. */
const Proposed = z.union([
  Title.transform((title) => ({ title, after: [] })),
  z.object({ title: Title, after: z.array(Title) }),
]);

/** What somebody found out about an errand: its result, or the errands that it consists of. */
const Result = z.union([
  z.object({ done: z.string().min(1).max(10_000), hours: Hours }),
  z.object({ errands: z.array(Proposed) }),
]);

/** The same as it is kept: with the names of the folders that are made from it. */
const Kept = z.union([
  z.object({ done: z.string(), hours: Hours }),
  z.object({ errands: z.array(z.object({ slug: z.string(), title: z.string(), after: z.array(z.string()) })) }),
]);

export function errandExecutors({ file, options, tree }: SearchContext): Executors {
  return {
    propose: { offer: () => ({ ask: { question: file.prompt, most: mostOf(options) }, expiresMs: ERRAND_MS }) },
    do: {
      offer: ({ nodes }) => ({
        ask: { errand: tree.get(nodes[0] as NodeId)?.title ?? '', most: mostOf(options) },
        expiresMs: ERRAND_MS,
      }),
    },
  };
}

export function errandOffers(ctx: SearchContext): OfferProtocol {
  return {
    check: (answers) => {
      const problems: AnswerProblem[] = [];
      const results = answers.map((answer) => {
        const found = keep(answer, mostOf(ctx.options));
        if (typeof found !== 'string') return found;
        problems.push({ offer: answer.offer.id, reason: 'bad-input', say: foreign({ text: found }) });
        return undefined;
      });
      return problems.length > 0 ? { ok: false, problems } : { ok: true, results };
    },
    apply: async (answers, by) => {
      const paths: string[] = [];
      for (const { nodes, result } of answers)
        if (nodes[0]) paths.push(...(await applyTo(ctx, nodes[0], Kept.parse(result), by)));
      return { paths };
    },
  };
}

function mostOf(options: object): number {
  return (options as ErrandOptions).most ?? 5;
}

/** Returns an answer as it is to be kept, or what is wrong with it. */
function keep({ nodes, result }: AnsweredOffer, most: number): z.infer<typeof Kept> | string {
  const { data } = Result.safeParse(result);
  const node = nodes[0];
  if (!data || !node) return 'An answer is {done} or {errands}.';
  if ('done' in data) return node.parent ? data : 'The question itself is answered by errands.';
  if (data.errands.length > most) return `At most ${most} errands at once.`;
  const placed = placeErrands(
    node,
    data.errands.map(({ title }) => title),
  );
  const errands = placed.map((errand, i) => {
    const after = data.errands[i]?.after ?? [];
    const before = placed.slice(0, i).filter(({ title }) => after.includes(title));
    return { ...errand, after: before.map(({ slug }) => slug) };
  });
  const isKnown = errands.every(({ after }, i) => after.length >= (data.errands[i]?.after.length ?? 0));
  return isKnown ? { errands } : 'An errand waits for some that are named before it.';
}

/** Errands with the names of their folders, unlike those that are there. */
export function placeErrands(node: TreeNode, titles: readonly string[]): { slug: string; title: string }[] {
  const taken = new Set(node.children.map(({ slug }) => slug));
  return titles.map((title) => {
    const slug = childSlug(title, pathOf(node), taken);
    taken.add(slug);
    return { slug, title };
  });
}

async function applyTo(ctx: SearchContext, node: TreeNode, kept: z.infer<typeof Kept>, by: string): Promise<string[]> {
  if (node.parent) await ctx.nodes.change(node, {}, { document: documentOf(node, kept), by });
  if ('done' in kept) {
    const { done, hours } = kept;
    const own = hours === undefined ? {} : { own: { hours } };
    await ctx.nodes.change(node, { status: 'leaf', leafReason: 'model', summary: done.slice(0, 100), ...own }, { by });
    return [pathOf(node)];
  }
  const listed = kept.errands.map(({ slug, title }) => ({ slug, title }));
  const children = await ctx.nodes.add(node, listed, node.parent ? 'list-first' : 'list-last', { by });
  await linkErrands(ctx, children, kept, by);
  if (node.parent) await ctx.nodes.change(node, { status: 'expanded' }, { by });
  return children.map(pathOf);
}

/** What has to be done first is a link to it. */
async function linkErrands(
  ctx: SearchContext,
  children: readonly TreeNode[],
  { errands }: Extract<z.infer<typeof Kept>, { errands: unknown }>,
  by: string,
): Promise<void> {
  const idOf = new Map(children.map(({ slug, file }) => [slug, file?.id]));
  for (const [i, child] of children.entries()) {
    const targets = (errands[i]?.after ?? []).flatMap((slug) => idOf.get(slug) ?? []);
    const links = targets.map((to) => ({ type: AFTER, to }));
    if (links.length > 0 && !child.file?.links) await ctx.nodes.change(child, { links }, { by });
  }
}

/** Returns the document of an errand, made again from the answer that is kept about it. */
export function errandDocument(node: TreeNode, kept: unknown): string | undefined {
  const { data } = Kept.safeParse(kept);
  return data && documentOf(node, data);
}

function documentOf({ title }: TreeNode, kept: z.infer<typeof Kept>): string {
  const text = 'done' in kept ? kept.done : kept.errands.map((errand) => `- ${errand.title}`).join('\n');
  return `---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}\n`;
}
