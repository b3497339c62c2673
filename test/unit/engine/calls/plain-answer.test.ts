import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelAnswer } from '../../../../src/core/ports/model.ts';
import { plainAnswer } from '../../../../src/engine/tools.ts';

const TOOLS = ['read_lines', 'search'].map((name) => ({ name, description: 'Reads.', parameters: { type: 'object' } }));
const answer = (text: string): ModelAnswer => ({ text, finish: 'stop' });
const plain = (text: string, tools = TOOLS) => plainAnswer(answer(text), { tools } as never, () => '1');
const CALL = '{"name": "read_lines", "arguments": {"path": "src/a.ts"}}';

const MARKS = ['<tool_call>', '</tool_call>', '<function=search>', '<output>', '</output>', '[TOOL_CALLS]'];
const FRONT = '---\ntitle: A\nsummary: B\n---\n\n';

describe('an answer in plain form', () => {
  it('is without its reasoning, which stays in the words of the call', () => {
    const text = '<think>Hm.</think>\n# A\n\nText.';
    assert.deepEqual(plain(text), { answer: answer('# A\n\nText.'), words: text });
    assert.deepEqual(plain('# A\n\nText.'), { answer: answer('# A\n\nText.') });
  });

  const forms: Record<string, string> = {
    'an element with JSON': `<tool_call>\n${CALL}\n</tool_call>`,
    'a fence': `\`\`\`json\n${CALL}\n\`\`\``,
    'JSON alone': CALL,
    'a list behind a mark': `[TOOL_CALLS][${CALL}]`,
    'parameters for arguments': CALL.replace('arguments', 'parameters'),
    'a function within': `{"type": "function", "function": ${CALL}}`,
    'arguments as a text': '{"name": "read_lines", "arguments": "{\\"path\\": \\"src/a.ts\\"}"}',
    'an element with parameters':
      '<tool_call>\n<function=read_lines>\n<parameter=path>\nsrc/a.ts\n</parameter>\n</function>\n</tool_call>',
    'an element around JSON': '<function=read_lines>{"path": "src/a.ts"}</function>',
    'after thoughts': `<think>Let me look.</think>\n<tool_call>${CALL}</tool_call>`,
  };
  for (const [form, text] of Object.entries(forms))
    it(`is the use of a tool where it is nothing else: ${form}`, () => {
      const { answer: read, words } = plain(text);
      assert.deepEqual([read.finish, read.text, words], ['tools', '', text]);
      assert.deepEqual(read.toolCalls, [{ id: 'call_1', name: 'read_lines', input: { path: 'src/a.ts' } }]);
    });

  it('may be several uses', () => {
    const two = `<tool_call>${CALL}</tool_call>\n<tool_call>${CALL.replace('read_lines', 'search')}</tool_call>`;
    assert.deepEqual(
      plain(two).answer.toolCalls?.map(({ name }) => name),
      ['read_lines', 'search'],
    );
  });

  for (const [what, text] of Object.entries({
    'words besides': `I look at it.\n${CALL}`,
    'words behind': `${CALL}\nSo much for that.`,
    'another tool': CALL.replace('read_lines', 'rm'),
    'no arguments': '{"name": "read_lines"}',
    'a document that shows one': `---\ntitle: A\n---\n\n\`\`\`json\n${CALL}\n\`\`\`\n`,
  }))
    it(`is a text with ${what}`, () => assert.deepEqual(plain(text), { answer: answer(text) }));

  it('is a text where no tool was offered, or it was cut off', () => {
    assert.deepEqual(plain(CALL, []), { answer: answer(CALL) });
    const cut = { text: CALL, finish: 'length' as const };
    assert.deepEqual(
      plainAnswer(cut, { tools: TOOLS } as never, () => '1'),
      { answer: cut },
    );
  });

  it('of any text uses offered tools only, and takes no time', () => {
    const piece = fc.constantFrom(
      CALL,
      '<tool_call>',
      '```',
      '<function=search>',
      '</function>',
      '{',
      '}',
      '[',
      '"',
      ',',
      'a',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (all) => {
        for (const { name } of plain(all.join('')).answer.toolCalls ?? [])
          assert.ok(/^(read_lines|search)$/.test(name));
      }),
    );
    for (const long of [
      '{',
      '[',
      '<function=search>',
      '<tool_call>',
      `${CALL},`,
      '<function=search><parameter=a>',
      '"',
    ])
      plain(long.repeat(50_000));
  });

  it('is the whole document, whatever that quotes of tags, fences and uses of tools', () => {
    const quoted = fc.constantFrom(
      ...['<think>', '</think>', '```', '~~~json', '\n', ' ', '# ', 'word', CALL],
      ...MARKS,
    );
    const body = fc.array(quoted, { maxLength: 30 }).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.constantFrom(FRONT, '# A\n\n'), body, (front, rest) => {
        const text = `${front}Text.\n${rest}`;
        assert.deepEqual(plain(text), { answer: answer(text) });
      }),
    );
  });
});
