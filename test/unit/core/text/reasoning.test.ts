import assert from 'node:assert/strict';
import fc from 'fast-check';
import { withoutReasoning } from '../../../../src/core/text/model-output.ts';

const DOCUMENT = '---\ntitle: Tags\nsummary: How tags end.\n---\n\n# Tags\n\nA line.\n';

describe('the reasoning in an answer', () => {
  const forms: Record<string, string> = {
    'in a tag': `<think>\nHm.\n# No heading\n</think>\n\n${DOCUMENT}`,
    'in another tag, in capitals': `\n<THINKING>Hm.</Thinking>${DOCUMENT}`,
    'in brackets': `[THINK]Hm.[/THINK]${DOCUMENT}`,
    'with its end alone': `Okay, they want a document.\nWell.\n</think>\n\n${DOCUMENT}`,
    'with its end alone, right before the answer': `Okay.</think>${DOCUMENT}`,
    'in several blocks': `<think>One.</think>\n<think>\n</think>\n${DOCUMENT}`,
    'with drafts that quote its end in a fence': `<think>\n\`\`\`\nx </think>\n\`\`\`\nYes.</think>\n${DOCUMENT}`,
    'in a channel': `<|channel>thought\nHm.<channel|>${DOCUMENT}`,
    'in the channels of harmony': `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>${DOCUMENT}`,
    'with drafts of lists': `<think>\n<output>[{"title": "no"}]</output>\n</think>\n${DOCUMENT}`,
  };
  for (const [form, answer] of Object.entries(forms))
    it(`is taken off ${form}`, () => {
      const { text, reasoning } = withoutReasoning(answer);
      assert.equal(text, DOCUMENT);
      assert.equal(reasoning + text, reasoning === '' ? answer : answer.slice(0, reasoning.length) + text);
    });

  it('that never ends is all that there is', () => assert.equal(withoutReasoning('<think>\nHm, and then').text, ''));

  const kept: Record<string, string> = {
    'front matter comes first': `---\ntitle: A\n---\nIt writes\n</think>\n\nthen the answer.`,
    'a heading comes first': `# The tag\n\nAfter\n</think>\nthe answer begins.`,
    'it is in a fence': 'So:\n\n```\n</think>\n# Answer\n```\n\nThat is all.',
    'it is code': 'The end is `\n</think>\n` here.',
    'it is in a sentence': 'Whatever </think> means, it is in a sentence.',
    'it is in a list': '<output>[{"title": "What </think> ends"}]</output>',
    'it is the first word': '<think> is a tag that some models write.',
    'it is the last line': 'The last line is\n</think>\n',
  };
  for (const [why, answer] of Object.entries(kept))
    it(`is not what a text says of it: ${why}`, () =>
      assert.deepEqual(withoutReasoning(answer), { text: answer, reasoning: '' }));

  it('is never taken out of a document with front matter, whatever that quotes', () => {
    const piece = fc.constantFrom('<think>', '</think>', '```', '`', '\n', ' ', '# ', 'word', '[/think]', '<output>');
    const body = fc.array(piece, { maxLength: 40 }).map((all) => `${DOCUMENT}\n${all.join('')}`);
    fc.assert(
      fc.property(body, fc.boolean(), (text, thinks) => {
        const thoughts = thinks ? '<think>\nWell.\n</think>\n' : '';
        assert.equal(withoutReasoning(thoughts + text).text, text);
      }),
    );
  });

  it('of any text is its beginning', () => {
    const piece = fc.constantFrom('<think>', '</think>', '```\n', '`', '\n', '# ', 'a', '<channel|>', '[think]');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (all) => {
        const answer = all.join('');
        const { text, reasoning } = withoutReasoning(answer);
        assert.ok(answer.startsWith(reasoning) && answer.endsWith(text));
        assert.equal(answer.slice(reasoning.length, answer.length - text.length).trim(), '');
      }),
    );
  });

  it('without end takes no time', () => {
    for (const piece of ['<think>', '</think>', '<think></think>', '```\n</think>\n', '`</think>', '<think>\n```\n'])
      withoutReasoning(piece.repeat(100_000));
  });
});
