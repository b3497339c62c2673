import '../../support/property-seed.ts';
import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  PROFILES,
  type ProfileName,
  profileOf,
  ruleOf,
  type State,
  statesOf,
} from '../../../src/kinds/investigation/protocol/profiles.ts';
import { loadGraphviz } from '../../graphviz/install.ts';
import { effort } from '../../support/effort.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { HOSTILE_TITLES, stateWithTitles } from '../../support/work-graph/state-files.ts';
import { runCli } from '../cli/run-cli.ts';

/** What Graphviz understood, as it writes it. */
interface Drawn {
  readonly name: string;
  readonly objects: readonly { readonly name: string; readonly label?: string; readonly fillcolor?: string }[];
  readonly edges?: readonly { readonly tail: number; readonly head: number }[];
}

interface CommittedNode {
  readonly id: string;
  readonly parent: string | null;
  readonly state: State;
  readonly title: string;
  readonly round: number;
}

function nodesOf(profile: ProfileName, titles: readonly string[]): CommittedNode[] {
  const states = statesOf(profileOf({ profile }));
  return titles.map((title, i) => ({
    ...(i === 0 ? { id: 'R1.A', parent: null, round: 1 } : { id: `R2.A${i}`, parent: 'R1.A', round: 2 }),
    state: states[i % states.length] as State,
    title,
  }));
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

describe('dot files, read by Graphviz', () => {
  let cwd: string;
  let draw: (dot: string) => Drawn;
  let svg: (dot: string) => string;
  before(async () => {
    const graphviz = await loadGraphviz();
    draw = (dot) => JSON.parse(graphviz.layout(dot, 'json', 'dot')) as Drawn;
    svg = (dot) => graphviz.layout(dot, 'svg', 'dot');
  });
  beforeEach(() => {
    cwd = temporaryFolder('graphviz');
  });

  async function run(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runCli(args, { cwd });
    assert.equal(code, 0, stderr);
    return stdout;
  }

  /** Takes a file of another program in, and draws the search that came of it. */
  async function drawnFrom(name: string, content: string, edit?: () => void): Promise<string> {
    writeFileSync(join(cwd, name), content);
    await run('import', name, '--dir', 'search');
    edit?.();
    return await run('export', 'search', '--format', 'dot');
  }

  describe('the graph of an investigation, drawn by Graphviz', () => {
    const exported = (profile: ProfileName, nodes: readonly CommittedNode[], edit?: () => void): Promise<string> => {
      const findings = { findings: 'Looked.', children: [] };
      const byId = Object.fromEntries(nodes.map((node) => [node.id, { ...node, ...findings }]));
      const file = { sessionId: 'drawn', query: 'Why?', nodes: byId, thoughtTree: { profile } };
      return drawnFrom('in.json', JSON.stringify(file), edit);
    };

    function check(dot: string, profile: ProfileName, nodes: readonly CommittedNode[]): void {
      const { name, objects, edges = [] } = draw(dot);
      assert.equal(name, 'Investigation');
      const drawn = objects.filter((each) => !/^(?:legend_|cluster_legend$)/.test(each.name));
      assert.deepEqual(drawn.map((each) => each.name).sort(), nodes.map(({ id }) => id.replaceAll('.', '_')).sort());
      for (const { id, title, state, round } of nodes) {
        const found = drawn.find((each) => each.name === id.replaceAll('.', '_'));
        assert.equal(found?.fillcolor, ruleOf(profileOf({ profile }), state).color);
        const line = title.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');
        assert.equal(shown(found?.label ?? ''), `R${round} | ${line}\n(${state})`);
      }
      const from = edges.map(({ tail, head }) => `${objects[tail]?.name}>${objects[head]?.name}`);
      const expected = nodes.flatMap(({ id, parent }) =>
        parent === null ? [] : [`${parent}>${id}`.replaceAll('.', '_')],
      );
      assert.deepEqual(from.sort(), expected.sort());
    }

    for (const profile of PROFILES)
      it(`has every node, its colour and its title, whatever titles say (${profile})`, async () => {
        const nodes = nodesOf(profile, HOSTILE);
        const dot = await exported(profile, nodes);
        check(dot, profile, nodes);
        assert.match(svg(dot), /&lt;script&gt;alert\(1\)/);
        assert.doesNotMatch(svg(dot), /<script|<b>|onload/, 'it runs nothing when it is shown as a picture');
      });

    it('keeps random titles within their quotes', async () => {
      const title = fc.oneof(
        fc.string(),
        fc.string({ unit: fc.constantFrom('"', '\\', '\n', ';', '<', '&', 'a', ']') }),
      );
      const nodes = nodesOf('strict', fc.sample(title, effort(300)));
      check(await exported('strict', nodes), 'strict', nodes);
    });

    it('keeps ids within their quotes that somebody wrote into the files', async () => {
      const nodes = nodesOf('strict', ['a', 'b', 'c', 'd', 'e']);
      const ids = ['R1.A', 'node', 'x"; evil [label="y', 'a -> b', 'subgraph'];
      const edit = (): void => {
        for (const file of globSync('search/**/node.json', { cwd }).map((path) => join(cwd, path))) {
          const node = JSON.parse(readFileSync(file, 'utf8'));
          const at = nodes.findIndex(({ id }) => id === node.own.nodeId);
          writeFileSync(file, JSON.stringify({ ...node, own: { ...node.own, nodeId: ids[at] } }));
        }
      };
      const edited = nodes.map((node, i) => ({ ...node, id: ids[i] as string }));
      check(await exported('strict', nodes, edit), 'strict', edited);
    });
  });

  describe('a work graph in the language of Graphviz', () => {
    it('is drawn by the real Graphviz, whatever the titles are', async () => {
      const { objects, edges } = draw(await drawnFrom('state.md', stateWithTitles(HOSTILE_TITLES)));
      const atoms = objects.filter(({ label }) => label?.startsWith('A'));
      assert.equal(atoms.length, HOSTILE_TITLES.length);
      assert.equal(edges, undefined, 'no title made an edge');
    });
  });
});
