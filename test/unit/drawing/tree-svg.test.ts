import assert from 'node:assert/strict';
import { estimating, fitted, inLines } from '../../../src/drawing/labels.ts';
import { PALETTES } from '../../../src/drawing/palette.ts';
import { treeSvg } from '../../../src/drawing/tree-svg.ts';
import { workGraphDrawing } from '../../../src/kinds/work-graph/show/looks.ts';
import type { GraphNode } from '../../../src/protocol/graph-node.ts';
import { graphNodes, sampleGraph } from '../../support/work-graph/sample-graph.ts';
import { sampleNodes, sampleSearch, sampleThoughts } from '../../ui/support/sample-tree.ts';

const CARD = /<g transform="translate\([^"]*"><title>/g;

/** Whether every tag that begins ends, in order. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  for (const [, end, name, empty] of svg.matchAll(/<(\/?)([a-z]+)\b[^<>]*?(\/?)>/g)) {
    if (empty === '/') continue;
    if (end === '') open.push(name as string);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0 && !/[<>]/.test(svg.replaceAll(/<[^<>]*>/g, ''));
}

describe('the drawing as a file', () => {
  it('needs no browser, and has every node of a tree in it, in light and dark', () => {
    const nodes = sampleNodes(40);
    const search = sampleSearch(nodes);
    for (const theme of ['light', 'dark'] as const) {
      const svg = treeSvg({ nodes, search }, theme);
      assert.equal(svg.match(CARD)?.length, nodes.length);
      assert.match(svg, new RegExp(`<rect width="100%" height="100%" fill="${PALETTES[theme].background}"/>`));
      assert.ok(isWellFormed(svg));
    }
  });

  it('says what a cut drawing hides', () => {
    const nodes = sampleNodes(40);
    const svg = treeSvg({ nodes, search: sampleSearch(nodes) }, 'light', { levels: 1 });
    const first = nodes.filter(({ path }) => !path.includes('/'));
    assert.equal(svg.match(CARD)?.length, first.length);
    const hidden = [...svg.matchAll(/>\+(\d+)</g)].reduce((sum, [, count]) => sum + Number(count), 0);
    assert.equal(hidden, nodes.length - first.length);
  });

  it('has the best path in gold, and nothing else', () => {
    const nodes = sampleThoughts();
    const bestPath = ['node_2', 'node_2/node_2_1'];
    const svg = treeSvg({ nodes, search: sampleSearch(nodes, { bestPath }) }, 'dark');
    const gold = svg.split('\n').filter((line) => /(<path|rx="6") [^>]*stroke="#cca700"/.test(line));
    const cards = gold.flatMap((line) => line.match(/<title>(.*?)<\/title>/)?.[1] ?? []);
    assert.deepEqual(cards, ['10 - 4 = 6 (left: 6 9 13)', '13 - 9 = 4 (left: 4 6)']);
    assert.equal(gold.filter((line) => line.startsWith('<path')).length, 2);
  });

  it('has a column for each round where nodes come about in rounds, however deep they are', () => {
    const node = (path: string, round: number): GraphNode => ({
      path,
      title: path,
      status: 'leaf',
      index: 0,
      marks: [{ text: `R${round}`, tone: 'dim', round }],
    });
    const root: GraphNode = { path: '', title: 'Why?', status: 'expanded', index: 0 };
    const nodes = [root, node('a', 1), node('b', 3), node('a/c', 3), node('a/c/d', 3), node('a/e', 9)];
    const svg = treeSvg({ nodes, search: sampleSearch(nodes, { bestPath: [] }) }, 'light');
    const lefts = new Map(
      [...svg.matchAll(/translate\((\S+) \S+\)"><title>(.*?)</g)].map(([, x, title]) => [title, x]),
    );
    assert.equal(lefts.get('b'), lefts.get('a/c'), 'of one round');
    assert.equal(lefts.get('a/c/d'), lefts.get('a/e'), 'right of what it follows from');
    assert.deepEqual(
      [...svg.matchAll(/>round ([^<]*)</g)].map(([, round]) => round),
      ['1', '3', '3–9'],
    );
    assert.doesNotMatch(svg, />R\d/);
  });

  it('draws a work graph in layers, with its boxes and links', () => {
    const nodes = graphNodes(sampleGraph());
    const search = sampleSearch(nodes, { drawnLinks: workGraphDrawing.links, bestPath: [] });
    const svg = treeSvg({ nodes, search }, 'light', { say: (text) => `(${text})` });
    assert.equal(svg.match(CARD)?.length, nodes.length);
    assert.match(svg, /<rect [^>]*rx="8"/);
    assert.match(svg, / font-size="10" [^>]*>\(/, 'what the kind says of a node, translated');
    assert.ok(isWellFormed(svg));
  });

  it('lets no title out of its place', () => {
    const title = '`</text><script>alert(1)</script>` "& \u0000\ud800 end';
    const nodes: GraphNode[] = [
      { path: '', title, status: 'expanded', index: 0 },
      { path: 'a', title: title.repeat(50), status: 'failed', index: 0 },
    ];
    const svg = treeSvg({ nodes, search: sampleSearch(nodes) }, 'light');
    assert.ok(isWellFormed(svg));
    assert.ok(svg.isWellFormed());
    assert.ok(!svg.includes('<script') && !svg.includes('\u0000'));
    assert.doesNotMatch(svg.replaceAll(/<title>.*?<\/title>/gs, ''), /`/, 'no marks of code in labels');
  });
});

describe('a text in lines', () => {
  const measure = estimating(10);

  it('is divided between words, and cut at the end of the last line', () => {
    assert.deepEqual(inLines('one', 100, 2, measure), ['one']);
    const lines = inLines('How the queue gives back what was taken and not used by anybody', 120, 2, measure);
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? '', /^How the queue( \w+)*$/);
    assert.match(lines[1] ?? '', /…$/);
    for (const line of lines) assert.ok(measure(line) <= 120, line);
  });

  it('is divided within a word that has no end', () => {
    const lines = inLines('x'.repeat(60), 120, 2, measure);
    assert.equal(lines.length, 2);
    for (const line of lines) assert.ok(line.length > 10 && measure(line) <= 120, line);
  });

  it('is not divided within a word that fits into a line of its own, however short the line before gets', () => {
    const lines = inLines('What constructsEverything', 95, 2, measure);
    const split = inLines('What constructionsites', 95, 2, measure);
    assert.deepEqual(split, ['What', 'constructionsites']);
    assert.equal(lines[0], 'What constructs', 'but at the parts of a name');
    assert.deepEqual(inLines('Runner#constructor: it', 85, 2, measure)[0], 'Runner#');
  });

  it('is divided at the parts of a name, and not within a last word that has room in the next line', () => {
    assert.deepEqual(inLines('Test: test (lib/test.js)', 95, 2, measure), ['Test: test', '(lib/test.js)']);
    const [first] = inLines('Runnable#currentRetry: the number of the try', 95, 2, measure);
    assert.equal(first, 'Runnable#current');
  });

  it('has one ellipsis where it is cut at its own', () => {
    const text = 'After a hook… (lib/runner.js)';
    assert.equal(fitted(text, measure('After a hook…… '), measure), 'After a hook…');
  });

  it('has letters of any script', () => {
    assert.deepEqual(inLines('为什么缓存会过期', 35, 2, measure), ['为什么', '缓存…']);
  });
});
