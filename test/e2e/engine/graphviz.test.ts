import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dotOf } from '../../../src/kinds/investigation/protocol/dot.ts';
import {
  type CommittedNode,
  emptyInvestigation,
  type Investigation,
} from '../../../src/kinds/investigation/protocol/investigation.ts';
import {
  PROFILES,
  type ProfileName,
  profileOf,
  ruleOf,
  type State,
  statesOf,
} from '../../../src/kinds/investigation/protocol/profiles.ts';
import { setupFor } from '../../../src/kinds/investigation/protocol/start.ts';
import { loadGraphviz } from '../../graphviz/install.ts';

/** What Graphviz understood, as it writes it. */
interface Drawn {
  readonly name: string;
  readonly objects: readonly { readonly name: string; readonly label?: string; readonly fillcolor?: string }[];
  readonly edges?: readonly { readonly tail: number; readonly head: number }[];
}

function investigationOf(profile: ProfileName, titles: readonly string[], ids?: readonly string[]): Investigation {
  const states = statesOf(profileOf({ profile }));
  const nodes = titles.map((title, i): CommittedNode => {
    const id = ids?.[i] ?? (i === 0 ? 'R1.A' : `R2.A${i}`);
    const state = states[i % states.length] as State;
    return {
      id,
      parent: i === 0 ? null : (ids?.[0] ?? 'R1.A'),
      state,
      title,
      round: i === 0 ? 1 : 2,
      children: [],
      commit: 1,
    };
  });
  const at = emptyInvestigation(setupFor(profile, { query: 'Why?' }, { sessionId: 'drawn' }));
  return { ...at, nodes: new Map(nodes.map((node) => [node.id, node])) };
}

/** A label as it is shown: without the marks that keep it in its quotes. */
function shown(label: string): string {
  return label.replace(/\\(.)/g, (_, mark: string) => (mark === 'n' ? '\n' : mark)).replaceAll('&amp;', '&');
}

const HOSTILE = [
  'plain',
  '"];\n  evil [label="x',
  'ends with a backslash \\',
  'two \\\\" and \\n \\N \\G',
  '<b>bold</b><script>alert(1)</script>',
  '<<table><tr><td>x</td></tr></table>>',
  '&lt;b&gt; &#34; &quot;',
  '// comment\n/* and */ # more',
  'line\r\nend\u2028and\u0000nothing\u0007',
  '日本語 🌳 é',
  '}\nsubgraph cluster_x { a -> b }',
];

describe('the graph of an investigation, drawn by Graphviz', () => {
  let draw: (dot: string) => Drawn;
  let svg: (dot: string) => string;
  before(async function () {
    this.timeout(120_000); // installs it where it is missing
    const graphviz = await loadGraphviz();
    draw = (dot) => JSON.parse(graphviz.layout(dot, 'json', 'dot')) as Drawn;
    svg = (dot) => graphviz.layout(dot, 'svg', 'dot');
  });

  function check(at: Investigation): void {
    const { name, objects, edges = [] } = draw(dotOf(at));
    assert.equal(name, 'Investigation');
    const drawn = objects.filter((each) => !/^(?:legend_|cluster_legend$)/.test(each.name));
    const nodes = [...at.nodes.values()];
    assert.deepEqual(drawn.map((each) => each.name).sort(), nodes.map(({ id }) => id.replaceAll('.', '_')).sort());
    for (const { id, title, state, round } of nodes) {
      const found = drawn.find((each) => each.name === id.replaceAll('.', '_'));
      assert.equal(found?.fillcolor, ruleOf(profileOf(at), state).color);
      const line = title.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');
      assert.equal(shown(found?.label ?? ''), `R${round} | ${line}\n(${state})`);
    }
    const from = edges.map(({ tail, head }) => `${objects[tail]?.name}>${objects[head]?.name}`);
    const expected = nodes.flatMap(({ id, parent }) =>
      parent === null ? [] : [`${parent}>${id}`.replaceAll('.', '_')],
    );
    assert.deepEqual(from.sort(), expected.sort());
  }

  it('has every node, its colour and its title, whatever titles say', () => {
    for (const profile of PROFILES) check(investigationOf(profile, HOSTILE));
  }).timeout(30_000);

  it('keeps random titles within their quotes', () => {
    const titles = fc.array(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', '\n', ';', '<', '&', 'a', ']') })),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(titles, (drawn) => check(investigationOf('strict', drawn))),
      { numRuns: 100 },
    );
  }).timeout(60_000);

  it('keeps ids within their quotes that somebody wrote into the files', () => {
    const ids = ['R1.A', 'node', 'x"; evil [label="y', 'a -> b', 'subgraph'];
    check(investigationOf('strict', ['a', 'b', 'c', 'd', 'e'], ids));
  });

  it('runs nothing when it is shown as a picture', () => {
    const picture = svg(dotOf(investigationOf('strict', HOSTILE)));
    assert.match(picture, /&lt;script&gt;alert\(1\)/);
    assert.doesNotMatch(picture, /<script|<b>|onload/);
  });
});
