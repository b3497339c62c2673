import type { Tree } from '../../../../core/tree/tree.ts';
import { type DrawnAtom, type DrawnEdge, drawnGraph } from './drawn-graph.ts';

const ARROWS: Readonly<Record<DrawnEdge['type'], string>> = {
  'depends-on': '-->',
  'if-failed': '-. if it fails .->',
  'discovered-from': '-. led to .->',
  'part-of': '--o',
};

/** A work graph in the language of Mermaid: alternatives in a box, the chosen one solid. */
export function workGraphMermaid(tree: Tree): string {
  const { atoms, groups, edges } = drawnGraph(tree);
  const all = [...atoms, ...groups.flatMap((group) => group.atoms)];
  const classes = (['pending', 'done', 'resolved', 'failed'] as const).flatMap((state) => {
    const ids = all.filter((atom) => atom.state === state).map(({ id }) => id);
    return ids.length === 0 ? [] : [`  class ${ids.join(',')} ${state}`];
  });
  const others = all.filter(({ isChosen }) => !isChosen).map(({ id }) => `  style ${id} stroke-dasharray: 4 3`);
  return [
    'flowchart LR',
    ...atoms.map((atom) => `  ${node(atom)}`),
    ...groups.flatMap(({ id, title, atoms: below }) => [
      `  subgraph ${id}["${quoted(title)}"]`,
      ...below.map((atom) => `    ${node(atom)}`),
      '  end',
    ]),
    ...edges.map(({ from, to, type }) => `  ${from} ${ARROWS[type]} ${to}`),
    '  classDef pending fill:#fff,stroke:#888,color:#222',
    '  classDef done fill:#fff8d6,stroke:#a98b00,color:#222',
    '  classDef resolved fill:#dcf5dc,stroke:#2e7d32,color:#222',
    '  classDef failed fill:#fde2e2,stroke:#b3261e,color:#222',
    ...classes,
    ...others,
    '',
  ].join('\n');
}

function node({ id, lines }: DrawnAtom): string {
  return `${id}["${lines.map(quoted).join('<br/>')}"]`;
}

/** Everything but letters, digits and blanks as an entity, which Mermaid shows as it is, and nobody reads as syntax. */
function quoted(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').toWellFormed();
  return line.replace(/[^\p{L}\p{N} ,.:_-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}
