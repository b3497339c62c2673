import assert from 'node:assert/strict';
import { textOf } from '../../../../src/core/messages/message.ts';
import { type DocumentHead, headHtml, headWords } from '../../../../src/searches/document-head.ts';

const html = (head: DocumentHead): string => headHtml(head, textOf);

describe('the head of a document', () => {
  const NODE: DocumentHead = {
    status: 'expanded',
    score: 8.123,
    citations: { verified: 7, moved: 0, stale: 1, not_found: 0 },
    parent: { title: 'Caches', href: '../document.md' },
    children: [{ title: '`Lru`: evicts', href: 'lru/document.md' }, { title: 'Not yet' }],
  };

  it('says in one line what is known of its node, with links up and down', () => {
    assert.deepEqual(headWords(NODE, textOf), ['expanded', '8.1 of 10', 'quotations 7 verified, 1 stale']);
    assert.equal(
      html(NODE),
      '<p class="thought-tree-head">expanded · 8.1 of 10 · quotations 7 verified, 1 stale · ' +
        '↑ above: <a href="../document.md">Caches</a> · ↓ below: <a href="lru/document.md">Lru: evicts</a>, Not yet</p>\n',
    );
  });

  it('says what its kind does instead of the status', () => {
    assert.deepEqual(headWords({ status: 'expanded', marks: ['R2', 'DEAD_END'], children: [] }, textOf), [
      'R2',
      'DEAD_END',
    ]);
  });

  it('shows hostile texts as they are, and nothing else', () => {
    const hostile = `<img src=x onerror="alert(1)"> [a](command:x) & 'b'`;
    const said = html({
      status: 'leaf',
      marks: [hostile],
      parent: { title: hostile, href: '"><script>alert(1)</script>' },
      children: [{ title: `${hostile}\u202e\n`, href: 'a/document.md' }],
    });
    assert.doesNotMatch(said, /<(?!\/?(?:p|a)\b)|\u202e/);
    assert.deepEqual(said.match(/<a [^>]*>/g), [
      '<a href="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">',
      '<a href="a/document.md">',
    ]);
  });

  it('names so many children, and counts the others', () => {
    const children = Array.from({ length: 60 }, (_, i) => ({ title: `Topic ${i}` }));
    assert.match(html({ status: 'expanded', children }), /Topic 23, and 36 more<\/p>/);
  });
});
