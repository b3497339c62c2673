import type { Palette } from '../../../../src/cli/terminal/terminal.ts';
import { Tree, type TreeNode } from '../../../../src/core/tree/tree.ts';

/** Colours as words, so that a test sees them. */
export const WORDS: Palette = {
  bold: (text) => `<b ${text}>`,
  dim: (text) => `<d ${text}>`,
  green: (text) => `<g ${text}>`,
  yellow: (text) => `<y ${text}>`,
  red: (text) => `<r ${text}>`,
  cyan: (text) => `<c ${text}>`,
};

const same = (text: string): string => text;
export const PLAIN: Palette = { bold: same, dim: same, green: same, yellow: same, red: same, cyan: same };

/** A tree of every status: five on the first level, three below the first, one of them with two of its own. */
export function sampleTree(): { tree: Tree; byTitle: (title: string) => TreeNode } {
  const tree = new Tree('Why?');
  const nodes = new Map<string, TreeNode>();
  const add = (parent: string, title: string, fields: Partial<Parameters<Tree['add']>[2]> = {}): void => {
    const node = tree.add(nodes.get(parent) ?? tree.root, title.toLowerCase(), { title, ...fields });
    nodes.set(title, node);
  };
  tree.update(tree.root, { listed: true });
  add('', 'Alpha', { status: 'expanded', listed: true, evaluation: { score: 7.25 } });
  add('', 'Beta', { status: 'in-progress' });
  add('', 'Gamma', { status: 'leaf', listed: true, leafReason: 'model' });
  add('', 'Delta', { status: 'pruned', prunedBy: 'user' });
  add('', 'Epsilon', { status: 'failed', failure: { reason: 'timed-out', message: 'No answer.' } });
  add('Alpha', 'One', { status: 'expanded', listed: true });
  add('Alpha', 'Two', { evaluation: { score: 10 } });
  add('Alpha', 'Three');
  add('One', 'Deep', { status: 'in-progress' });
  add('One', 'Deeper');
  return { tree, byTitle: (title) => nodes.get(title) as TreeNode };
}
