import assert from 'node:assert/strict';
import { countTokens } from '../../../../src/core/ports/workspace-text.ts';

/** What `o200k_base`, a tokenizer with 200,000 tokens, counts. */
const COUNTED: readonly (readonly [text: string, tokens: number])[] = [
  ['export async function takeLease(files: Files, ports: LeasePorts): Promise<Lease> {', 19],
  ['lib/cli/ (14 files, 2478 lines): watch-run.js 626, run.js 394, options.js 337', 32],
  ['The question is divided into topics, and each topic has a document of its own.', 16],
];

describe('the number of tokens', () => {
  for (const [text, tokens] of COUNTED)
    it(`is about right: ${text}`, () => {
      const counted = countTokens(text);
      assert.ok(counted >= 0.9 * tokens && counted <= 1.5 * tokens, `${counted} for ${tokens}`);
    });

  it('counts every ideogram, and nothing for nothing', () => {
    assert.ok(countTokens('测试超时是怎么处理的') >= 10);
    assert.equal(countTokens(''), 0);
    assert.equal(countTokens('   '), 0);
  });
});
