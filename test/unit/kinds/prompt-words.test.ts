import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as wrong from '../../../src/core/messages/answers.ts';
import { PROMPT_WORDS } from '../../../src/models/replay/recording.ts';
import { promptPage } from './golden-prompts.ts';

/** What a recording of each version was asked in: never changed, added to. */
const WORDS: Readonly<Record<number, string>> = {
  2: '5c54ef08d90b5aad',
  3: 'a52596f0e9a78f30',
  // The same words, beside other quotations, and rules for citing in more of them.
  4: 'a52596f0e9a78f30',
  // The pages in doc/prompts, of which the hash is from here on.
  5: '73a564ccae29a49e',
  6: '78bb85364b5c6eae',
  7: '782194e9cafa9af0',
  // The same words; those of whole drafts are others.
  8: '782194e9cafa9af0',
};

/** The words of whole drafts, which have a page of their own: recordings of steps do not depend on them. */
const DRAFTS: Readonly<Record<number, string>> = { 7: 'db7f32ceb3ca3907', 8: '7c4668de2b463540' };

describe('the words that models are asked in', () => {
  it('have another version where they differ, which tells recordings of older ones', () => {
    const hash = createHash('sha256');
    for (const kind of ['research', 'thoughts']) hash.update(readFileSync(promptPage(kind)));
    const drafts = createHash('sha256').update(readFileSync(promptPage('drafts')));
    assert.equal(drafts.digest('hex').slice(0, 16), DRAFTS[PROMPT_WORDS], 'As below: add the words of drafts here.');
    hash.update(JSON.stringify(Object.values(wrong).map(({ english }) => english)));
    assert.equal(
      hash.digest('hex').slice(0, 16),
      WORDS[PROMPT_WORDS],
      'Add one to PROMPT_WORDS, its words here, and make the recordings again with UPDATE_RECORDINGS=1.',
    );
  });
});
