import * as z from 'zod';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { isPruned, lineageOf, nodeAt, pathOf, type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import type { Action } from '../../../engine/actions/action.ts';
import { noNode } from '../../../engine/actions/messages.ts';
import { addCombined } from '../generate/combine.ts';
import { combined, combinesBeside, combinesFromTwo, combinesOpen } from '../messages.ts';
import { thoughtId } from '../thought-id.ts';

const MOST_OTHERS = 3;

const Args = z.object({ with: z.string().min(1).max(4000) });
const Result = z.object({ path: z.string(), others: z.number().int() });

/**
 * Makes one thought of two to four: a child of the nearest one above all of them, with a link to each. Its text is written
 * when the search runs, from the paths of all of them.
 */
export const combineWith: Action<z.infer<typeof Args>, z.infer<typeof Result>> = {
  args: Args,
  result: Result,
  async run({ ctx, node, by }, given) {
    const names = given.with.split(/[\s,]+/).filter(Boolean);
    const others = [...new Set(names.map((name) => named(ctx.tree, name)))].filter((each) => each !== node);
    if (others.length < 1 || others.length > MOST_OTHERS) throw new ThoughtTreeError('bad-input', combinesFromTwo());
    const nodes = [node, ...others];
    for (const each of nodes) check(each, nodes);
    const made = await addCombined(ctx, nodes, by);
    return { path: pathOf(made), others: others.length };
  },
  say: ({ others }, { title }) => combined({ title, count: others }),
};

/** A node by its slug path or its id. */
function named(tree: Tree, name: string): TreeNode {
  const found = nodeAt(tree, name) ?? [...walk(tree.root)].find((node) => node.parent && thoughtId(node) === name);
  if (found?.parent) return found;
  throw new ThoughtTreeError('bad-input', noNode({ path: name }));
}

function check(node: TreeNode, nodes: readonly TreeNode[]): void {
  if (isPruned(node) || node.fileId === undefined)
    throw new ThoughtTreeError('bad-input', combinesOpen({ node: thoughtId(node) }));
  const isAbove = nodes.some((other) => other !== node && lineageOf(other).includes(node));
  if (isAbove) throw new ThoughtTreeError('bad-input', combinesBeside({ node: thoughtId(node) }));
}
