import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lastOutput, withoutFence } from '../../../../src/core/text/output-block.ts';

describe('the output block of an answer', () => {
  it('is the text between its tags', () => assert.equal(lastOutput('So:\n<output>\n[1]\n</output>\nDone.'), '[1]'));
  it('is the last one', () => assert.equal(lastOutput('<output>a</output> or <output>b</output>'), 'b'));
  it('may follow talk of the tag', () => assert.equal(lastOutput('I use <output> tags: <output>[]</output>'), '[]'));
  it('may be empty', () => assert.equal(lastOutput('<output></output>'), ''));
  for (const answer of ['', '[1]', '<output>[1]', '[1]</output>', '</output><output>', '&lt;output&gt;'])
    it(`is missing in ${JSON.stringify(answer)}`, () => assert.equal(lastOutput(answer), undefined));
  for (const fence of ['```', '```json', '````', '~~~', '```json extra words'])
    it(`loses its fence: ${fence}`, () => {
      const close = /^(`+|~+)/.exec(fence)?.[0];
      assert.equal(lastOutput(`<output>\n${fence}\n[1]\n${close}\n</output>`), '[1]');
    });
});

describe('a fence', () => {
  it('is kept unless it is around everything', () => {
    for (const text of ['```\na', 'a\n```\nb\n```', '```\na\n```\nb', '```', '```json [1] ```', '````\na\n```'])
      assert.equal(withoutFence(text), text);
  });

  it('around any text is taken off', () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n') && text.trim() === text);
    fc.assert(
      fc.property(line, fc.constantFrom('```', '~~~~'), (text, fence) => {
        assert.equal(withoutFence(`${fence}json\n${text}\n${fence}`), text);
      }),
    );
  });

  it('that never ends takes no time', () => {
    // At the square of its length this would outlast the test's time many times over.
    const long = `${'`'.repeat(200_000)}\n${'`'.repeat(199_999)}x`;
    assert.equal(withoutFence(long), long);
  });
});
