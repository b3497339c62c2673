import assert from 'node:assert/strict';
import { calledIn } from '../../../../src/text/rank/called-in.ts';

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

  it('is found in no time in a question made to be slow', () => {
    const begun = performance.now();
    calledIn(`who calls ${'a.'.repeat(50_000)}?`);
    calledIn(`${'where '.repeat(20_000)} a`);
    assert.ok(performance.now() - begun < 500, `${performance.now() - begun} ms`);
  });
});
