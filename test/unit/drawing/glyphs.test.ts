import assert from 'node:assert/strict';
import { NodeStatus, PrunedBy } from '../../../src/core/tree/node-file.ts';
import { type Glyph, glyphOf, type Marked } from '../../../src/drawing/glyphs.ts';

const shapeOf = ({ fill = '', stroke = '', mark = '' }: Glyph): string => `${fill}|${stroke}|${mark}`;
const of = (node: Omit<Marked, 'path'>): Glyph => glyphOf({ path: 'any', ...node });

describe('the shapes of nodes', () => {
  it('differ without their colours', () => {
    const nodes: Omit<Marked, 'path'>[] = [
      ...NodeStatus.options.map((status) => ({ status })),
      { status: 'leaf', leafReason: 'solved' },
      { status: 'leaf', leafReason: 'duplicate' },
      { status: 'unexpanded', selected: false },
    ];
    const shapes = [glyphOf({ path: '', status: 'expanded' }), ...nodes.map(of)].map(shapeOf);
    assert.equal(new Set(shapes).size, shapes.length);
  });

  it('are those of the editor’s lists: a check in a ring, a disc, a ring with a stroke, a ring with a cross', () => {
    const ring = of({ status: 'unexpanded' }).stroke ?? '';
    assert.ok(of({ status: 'expanded' }).stroke?.startsWith(ring) && of({ status: 'expanded' }).fill === undefined);
    assert.deepEqual(of({ status: 'leaf' }), { name: 'leaf', fill: ring });
    assert.ok(of({ status: 'pruned' }).stroke?.startsWith(ring));
    assert.ok(of({ status: 'failed' }).stroke?.startsWith(ring));
  });

  it('are the same for all that is pruned, whoever did it and whatever it was', () => {
    for (const look of [undefined, { glyph: 'end', tone: 'good' }] as const)
      for (const prunedBy of PrunedBy.options) {
        const node = { status: 'pruned' as const, prunedBy, ...(look && { look }) };
        assert.equal(of(node).name, 'pruned');
      }
  });

  it('are the same for a kind that names them', () => {
    for (const [glyph, status] of [
      ['open', 'unexpanded'],
      ['busy', 'in-progress'],
      ['done', 'expanded'],
      ['end', 'leaf'],
      ['failed', 'failed'],
    ] as const)
      assert.equal(of({ status: 'expanded', look: { glyph, tone: 'plain' } }), of({ status }));
  });
});
