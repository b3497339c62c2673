import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import * as wrong from '../../../src/core/messages/answers.ts';
import { PROMPT_WORDS } from '../../../src/core/search/prompt-words.ts';

/** What a recording of each version was asked in: never changed, added to. */
const WORDS: Readonly<Record<number, string>> = {
  2: '5c54ef08d90b5aad',
};

describe('the words that models are asked in', () => {
  it('have another version where they differ, which tells recordings of older ones', () => {
    const hash = createHash('sha256');
    for (const folder of ['prompts', 'thought-prompts']) {
      const golden = new URL(`../../golden/${folder}/`, import.meta.url);
      for (const file of readdirSync(golden).sort()) hash.update(file).update(readFileSync(new URL(file, golden)));
    }
    hash.update(JSON.stringify(Object.values(wrong).map(({ english }) => english)));
    assert.equal(
      hash.digest('hex').slice(0, 16),
      WORDS[PROMPT_WORDS],
      'Add one to PROMPT_WORDS, its words here, and make the recordings again with UPDATE_RECORDINGS=1.',
    );
  });
});
