import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isSlug } from '../../../../src/core/tree/slug.ts';
import { Tree, type TreeNode } from '../../../../src/core/tree/tree.ts';
import { placeChildren } from '../../../../src/kinds/research/answers.ts';

function parentOf(...standing: [slug: string, title: string, score?: number][]): TreeNode {
  const tree = new Tree('Question');
  const parent = tree.add(tree.root, 'parent', { title: 'Parent' });
  for (const [slug, title, score] of standing)
    tree.add(parent, slug, { title, ...(score === undefined ? {} : { evaluation: { score } }) });
  return parent;
}

describe('the children of a node', () => {
  it('get a slug, and what is expected of them', () => {
    assert.deepEqual(placeChildren(parentOf(), [{ title: 'One two', score: 7, why: 'Because.' }, { title: 'Three' }]), [
      {
        slug: 'one-two',
        title: 'One two',
        fields: { evaluation: { score: 7, reasoning: 'Because.' } },
      },
      { slug: 'three', title: 'Three', fields: undefined },
    ]);
  });

  it('that exist already keep their slugs, and come first if nobody proposes them', () => {
    const parent = parentOf(['by-hand', 'Made by a person'], ['odd-name', 'One', 3]);
    const placed = placeChildren(parent, [{ title: 'Two' }, { title: 'One', score: 9 }]);
    assert.deepEqual(
      placed.map(({ slug }) => slug),
      ['by-hand', 'two', 'odd-name'],
    );
    assert.deepEqual(
      placed.map(({ fields }) => fields),
      [undefined, undefined, undefined],
    );
  });

  it('get the score that is expected of them where a kill came before it', () => {
    const [placed] = placeChildren(parentOf(['one', 'One']), [{ title: 'One', score: 9 }]);
    assert.deepEqual(placed?.fields, { evaluation: { score: 9 } });
  });

  it('do not take a sibling’s folder, whatever its case', () => {
    assert.equal(placeChildren(parentOf(['Build', 'By hand']), [{ title: 'build' }]).at(-1)?.slug, 'build-2');
  });

  it('are no topics that stand above or beside them, and links where the rest of the tree has them', () => {
    const parent = parentOf(['a', 'A topic']);
    const [child] = parent.children as [TreeNode];
    const [elsewhere] = parentOf(['else', 'Else']).children as [TreeNode];
    const known = new Map([
      ['Parent!', parent],
      ['a topic', child],
      ['Else.', elsewhere],
    ]);
    const titles = ['Parent!', 'a topic', 'Else.', 'New'].map((title) => ({ title }));
    const placed = placeChildren(parent, titles, (title) => known.get(title));
    assert.deepEqual(
      placed.map(({ title, fields }) => [title, fields?.sameAs]),
      [
        ['A topic', undefined],
        ['Else.', 'parent/else'],
        ['New', undefined],
      ],
    );
  });

  it('are all there, also two that a person gave one title', () => {
    const placed = placeChildren(parentOf(['a', 'Same'], ['b', 'Same']), [{ title: 'Same' }, { title: 'New' }]);
    assert.deepEqual(placed.map(({ slug }) => slug).sort(), ['a', 'b', 'new']);
  });

  it('are, with any titles, all existing and all proposed ones, each in a safe folder', () => {
    const title = fc.oneof(fc.constantFrom('A', 'a', 'á', 'con', '..', 'x y', '为什么'), fc.string({ minLength: 1 }));
    fc.assert(
      fc.property(fc.uniqueArray(title), fc.array(title, { maxLength: 5 }), (proposed, standing) => {
        const parent = parentOf(...standing.map((each, i) => [`s${i}`, each] as [string, string]));
        const placed = placeChildren(
          parent,
          proposed.map((each) => ({ title: each })),
        );
        const slugs = placed.map(({ slug }) => slug);
        assert.equal(new Set(slugs).size, slugs.length);
        assert.ok(slugs.every(isSlug));
        for (const child of parent.children) assert.ok(slugs.includes(child.slug));
        for (const each of proposed) assert.ok(placed.some((child) => child.title === each));
        assert.equal(
          placed.length,
          parent.children.length + proposed.filter((each) => !standing.includes(each)).length,
        );
      }),
    );
  });
});
