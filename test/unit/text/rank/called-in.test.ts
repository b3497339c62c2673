import assert from 'node:assert/strict';
import { calledIn } from '../../../../src/text/rank/asked-for.ts';
import { growsLinearly } from '../../../support/grows-linearly.ts';

describe('the name whose uses a question asks for', () => {
  const ASKED: Readonly<Record<string, string>> = {
    'Who calls parse_bytes?': 'parse_bytes',
    'What uses the class `queue`?': 'queue',
    'Which functions call Queue#push?': 'push',
    'Where is parseBytes called from?': 'parseBytes',
    'Where do we use tidy()?': 'tidy',
    'What are the callers of Queue.push?': 'push',
    'Wer ruft parseBytes auf?': 'parseBytes',
    'Wo wird parse_bytes verwendet?': 'parse_bytes',
    'Qui appelle parseBytes ?': 'parseBytes',
    '谁调用了 parseBytes？': 'parseBytes',
    'parseBytes 在哪里被调用？': 'parseBytes',
  };
  for (const [question, name] of Object.entries(ASKED)) it(question, () => assert.equal(calledIn(question), name));

  const OTHERS = [
    'Who calls the shots?',
    'What uses memory?',
    'Which port is used by default?',
    'How does parse_bytes work?',
    'Where is the default timeout used?',
  ];
  for (const question of OTHERS) it(`none: ${question}`, () => assert.equal(calledIn(question), undefined));

  it('is found in a time in proportion to a question that is made to be slow', async () => {
    for (const made of [
      (size: number) => `who calls ${'a.'.repeat(size / 2)}?`,
      (size: number) => `${'where '.repeat(size / 6)} a`,
    ])
      await growsLinearly(made(60), 200_000, made, calledIn);
  });
});
