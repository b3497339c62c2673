import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import {
  dataIn,
  lastOutput,
  listIn,
  proseIn,
  withoutBlockAtEnd,
  withoutFence,
} from '../../../../src/core/text/model-output.ts';

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

const bad = (error: unknown): boolean => isThoughtTreeError(error, 'bad-answer');
const TWO = [
  { title: 'Where it waits', score: 6 },
  { title: 'Who decides', score: 5 },
];

describe('the data of an answer', () => {
  const forms: Record<string, string> = {
    'to the letter': `<output>${JSON.stringify(TWO)}</output>`,
    'with words around it': `Sure:\n<output>\nThis is [my] list:\n${JSON.stringify(TWO, null, 2)}\nDone.\n</output>\nBye.`,
    'in a fence within the block': `<output>\n\`\`\`json\n${JSON.stringify(TWO)}\n\`\`\`\n</output>`,
    'in a block within a fence': `~~~\n<Output>${JSON.stringify(TWO)}</OUTPUT>\n~~~`,
    'in a fence alone': `A draft:\n\`\`\`\n[{"title": "no"}]\n\`\`\`\nBetter:\n\`\`\`json\n${JSON.stringify(TWO)}\n\`\`\`\nOf use?`,
    'after a link': `See [the docs](https://a.example): ${JSON.stringify(TWO)}`,
    'with a block that is not closed': `<output>\n${JSON.stringify(TWO)}\n`,
    'with commas, comments and a cut end':
      '<output>[{"title": "Where it waits", /* the queue */ "score": 6,}, // first\n {"title": "Who decides" "score": 5',
    'with names without quotes':
      "<output>[{title: 'Where it waits', score: 6}, {title: 'Who decides', score: 5}]</output>",
    'in curly quotes':
      '<output>[{“title”: “Where it waits”, “score”: 6}, {‘title’: ‘Who decides’, ‘score’: 5}]</output>',
    'with talk of the tag behind it': `<output>${JSON.stringify(TWO)}</output>\nI closed it with </output>.`,
  };
  for (const [form, answer] of Object.entries(forms))
    it(`is read ${form}`, () => assert.deepEqual(listIn(dataIn(answer)), TWO));

  it('keeps quotes, apostrophes, commas and new lines within texts', () => {
    const answer = `<output>[{'title': 'The queue's end, and what's "behind"'}, {"title": "Why "wait", and\nhow long"}]</output>`;
    assert.deepEqual(dataIn(answer), [
      { title: `The queue's end, and what's "behind"` },
      { title: 'Why "wait", and\nhow long' },
    ]);
  });

  it('may say the tag within its texts', () => {
    const list = [{ title: 'What <output> and </output> do' }, { title: '<OUTPUT>' }];
    assert.deepEqual(dataIn(`<output>${JSON.stringify(list)}</output>`), list);
  });

  it('is the list within an object, if there is one alone', () => {
    assert.deepEqual(listIn(dataIn(`<output>{"subtopics": ${JSON.stringify(TWO)}, "note": "two"}</output>`)), TWO);
    assert.deepEqual(listIn({ payload: { thoughts: [1] } }), [1]);
    for (const none of [{ a: [1], b: [2] }, { a: 1, b: { c: [1] } }, 'text', null, 3])
      assert.equal(listIn(none), undefined);
  });

  for (const none of ['', 'Nothing.', 'See [1], [a link](b) and - [ ] a task.', '<output></output>', '<output>none'])
    it(`is missing in ${JSON.stringify(none)}`, () => assert.throws(() => dataIn(none), bad));

  it('is read back from whatever JSON says, however much of its form is lost', () => {
    const word = fc.string({ unit: 'grapheme' }).filter((text) => !/["'“”‘’`\\]/u.test(text));
    const lists = fc.array(
      fc.record({ title: word, score: fc.integer(), why: fc.option(word) }, { noNullPrototype: true }),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(lists, fc.boolean(), fc.boolean(), (list, comma, cut) => {
        const json = JSON.stringify(list, null, 1);
        const loose = comma ? json.replaceAll(/\n\s*\}/g, ',\n}') : json;
        assert.deepEqual(dataIn(`<output>${cut ? loose.replace(/[\s\]}]*$/, '') : `${loose}</output>`}`), list);
      }),
    );
  });

  it('of any text is some, or a wrong answer, and nothing worse', () => {
    const pieces = fc.constantFrom(
      '<output>',
      '</output>',
      '```',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      ':',
      ',',
      '//',
      '/*',
      '\\',
      '\\u12',
      '\n',
      ' ',
      'a',
      '1',
      '“',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
        ),
        (text) => {
          try {
            assert.equal(typeof dataIn(text), 'object');
          } catch (error) {
            assert.ok(bad(error), String(error));
          }
          const { text: before, block = '' } = withoutBlockAtEnd(text);
          assert.ok(text.startsWith(before.trimEnd()) && text.includes(block.trimEnd()));
          proseIn(text);
        },
      ),
    );
  });

  it('that never ends takes no time', () => {
    for (const piece of ['<output>', '[', '{', '[{"a":', '"', "['", '/*', '```\n', '{ '])
      try {
        dataIn(piece.repeat(100_000));
      } catch (error) {
        assert.ok(bad(error), String(error));
      }
  });
});

describe('a block at the end of a text', () => {
  const list = '<output>\n[{"title": "a"}]\n</output>';
  it('is taken off, one within the text is not', () => {
    assert.deepEqual(withoutBlockAtEnd(`# A\n\nText.\n\n${list}\n`), { text: '# A\n\nText.\n\n', block: list });
    assert.deepEqual(withoutBlockAtEnd(`# A\n\nAsk for \`<output>\`.\n\n${list}`).block, list);
    assert.equal(withoutBlockAtEnd('# A\n\nText.\n\n<Output>[{"title": "a"}]').block, '<Output>[{"title": "a"}]');
    const quoting = `# A\n\n\`\`\`\n${list}\n\`\`\`\n\nSo it is asked for, with <output> and </output>.`;
    assert.deepEqual(withoutBlockAtEnd(quoting), { text: quoting, block: undefined });
    assert.equal(proseIn(quoting), quoting);
  });
  it('may say the tag in a title', () => {
    const block = '<output>\n[{"title": "What <output> does"}]\n</output>';
    assert.deepEqual(withoutBlockAtEnd(`Text.\n${block}`), { text: 'Text.\n', block });
  });
  it('may hold the prose itself', () =>
    assert.equal(proseIn('Here:\n<OUTPUT>\nAll is well.\n</OUTPUT>'), 'All is well.'));
});
