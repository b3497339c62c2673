import type { Tree } from '../../../../core/tree/tree.ts';
import { type DrawnAtom, type DrawnEdge, type DrawnGroup, drawnGraph } from './drawn-graph.ts';

const COLOURS = { pending: 'white', done: 'lightyellow', resolved: 'palegreen', failed: 'mistyrose' } as const;
const STYLES: Readonly<Record<DrawnEdge['type'], string>> = {
  'depends-on': 'style=solid',
  'if-failed': 'style=dashed, label="if it fails"',
  'discovered-from': 'style=dotted, label="led to"',
  'part-of': 'style=solid, arrowhead=diamond',
};

/** A work graph in the language of Graphviz: alternatives in a box, the chosen one solid. */
export function workGraphDot(tree: Tree): string {
  const { atoms, groups, edges } = drawnGraph(tree);
  const clusters = new Map(groups.map((group) => [group.id, group]));
  return [
    'digraph Work {',
    '  rankdir=LR;',
    '  compound=true;',
    '  node [shape=box, fontname="Arial"];',
    '  edge [fontname="Arial", fontsize=10];',
    ...atoms.map((atom) => `  ${node(atom)}`),
    ...groups.flatMap(cluster),
    ...edges.map((edge) => `  ${edge.from} -> ${edge.to} [${attributes(edge, clusters)}];`),
    '}',
    '',
  ].join('\n');
}

function node({ id, lines, state, isChosen }: DrawnAtom): string {
  const label = lines.map(quoted).join('\\n');
  const style = isChosen ? 'filled,rounded,solid' : 'filled,rounded,dashed';
  return `${id} [label="${label}", fillcolor=${COLOURS[state]}, style="${style}"];`;
}

/** The group itself is a point in its box, at which edges end. */
function cluster({ id, title, atoms }: DrawnGroup): string[] {
  return [
    `  subgraph cluster_${id} {`,
    `    label="${quoted(title)}";`,
    '    style=rounded;',
    `    ${id} [shape=point, label=""];`,
    ...atoms.map((atom) => `    ${node(atom)}`),
    '  }',
  ];
}

function attributes({ from, to, type }: DrawnEdge, clusters: ReadonlyMap<string, unknown>): string {
  const ends = [
    ...(clusters.has(from) ? [`ltail=cluster_${from}`] : []),
    ...(clusters.has(to) ? [`lhead=cluster_${to}`] : []),
  ];
  return [STYLES[type], ...ends].join(', ');
}

/** A text within quotes, in one line: it neither ends the quotes nor means anything but itself. */
function quoted(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').replaceAll(/&(?=#?\w{1,40};)/g, '&amp;');
  return line.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
