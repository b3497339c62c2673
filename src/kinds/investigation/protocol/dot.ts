import type { Investigation } from './investigation.ts';
import { profileOf, ruleOf, type State, statesOf } from './profiles.ts';

/** An investigation as a graph in the language of Graphviz. */
export function dotOf(at: Investigation): string {
  const profile = profileOf(at);
  const nodes = [...at.nodes.values()];
  const lines = nodes.map(({ id, state, title, round }) => {
    const label = `R${round} | ${quoted(title)}\\n(${state})`;
    return `  ${nameOf(id)} [fillcolor=${ruleOf(profile, state).color}, label="${label}"];`;
  });
  const edges = nodes.flatMap(({ id, parent }) => (parent === null ? [] : `  ${nameOf(parent)} -> ${nameOf(id)};`));
  const legend = statesOf(profile).map(
    (state: State) => `    legend_${state} [fillcolor=${ruleOf(profile, state).color}, label="${state}"];`,
  );
  return [
    'digraph Investigation {',
    '  rankdir=TB;',
    '  node [shape=box, style="filled,rounded", fontname="Arial"];',
    ...lines,
    ...edges,
    '  subgraph cluster_legend {',
    '    label="States";',
    ...legend,
    '  }',
    '}',
  ].join('\n');
}

const PLAIN_NAME = /^R\d+_[A-Za-z0-9]+$/;

/** A node's name; one that was changed by hand into something else is quoted. */
function nameOf(id: string): string {
  const name = id.replaceAll('.', '_');
  return PLAIN_NAME.test(name) ? name : `"${quoted(name)}"`;
}

/** A text within quotes, in one line: it neither ends the quotes nor means anything but itself. */
function quoted(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').replaceAll(/&(?=#?\w{1,40};)/g, '&amp;');
  return line.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
