import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foreign } from '../../../../src/core/messages/message.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { consentOf } from '../../../../src/searches/open-work.ts';
import { statePath } from '../../../../src/searches/trust/state-folder.ts';

const HELD = { sandbox: 'bubblewrap' } as const;
const LOOSE = { sandbox: undefined } as const;

describe('consent to commands', () => {
  let id: string;
  beforeEach(() => {
    id = randomBytes(16).toString('hex');
  });

  it('is asked for once for each line, and remembered by its hash in the state folder', async () => {
    const asked: (readonly string[])[] = [];
    const consent = async (lines: readonly string[]): Promise<boolean> => asked.push(lines) > 0;
    const first = consentOf(id, '/w/goal', { consent });
    assert.equal(first.isAllowed('npm test'), false);
    assert.equal(await first.ask(['npm test', 'npm run build'], HELD), true);
    assert.deepEqual([first.isAllowed('npm test'), first.isAllowed('npm test ')], [true, false]);
    const again = consentOf(id, '/w/goal', { consent });
    assert.deepEqual([again.isAllowed('npm run build'), again.isAllowed('rm -rf /')], [true, false]);
    assert.deepEqual(asked, [['npm test', 'npm run build']]);
    const kept = readFileSync(fileOf(id), 'utf8');
    assert.ok(!kept.includes('npm'));
    // A copy of the search, and another search, have to ask.
    assert.equal(consentOf(id, '/w/copy', { consent }).isAllowed('npm test'), false);
    assert.equal(consentOf(randomBytes(16).toString('hex'), '/w/goal', { consent }).isAllowed('npm test'), false);
  });

  it('is not given where a person refuses, where nobody can be asked, or by a damaged memory', async () => {
    const refusing = consentOf(id, '/w', { consent: async () => false });
    assert.equal(await refusing.ask(['make'], HELD), false);
    assert.equal(refusing.isAllowed('make'), false);
    const alone = consentOf(id, '/w', {
      consent: () => Promise.reject(new ThoughtTreeError('bad-input', foreign({ text: 'give --allow-commands' }))),
    });
    await assert.rejects(alone.ask(['make'], HELD), { reason: 'declined', message: /--allow-commands/ });
    assert.equal(alone.isAllowed('make'), false);
    writeFileSync(fileOf(id), '{"version":1,"path":"/w","lines":["make"]}');
    assert.equal(consentOf(id, '/w', { consent: async () => false }).isAllowed('make'), false);
  });

  it('says what holds the commands, and what does not', async () => {
    const said: string[][] = [];
    const consent = async (_: readonly string[], says: readonly { text: string }[]): Promise<boolean> =>
      said.push(says.map(({ text }) => text)) > 0;
    await consentOf(id, '/w', { consent }).ask(['a'], HELD);
    await consentOf(id, '/w', { consent, network: true }).ask(['b'], HELD);
    await consentOf(id, '/w', { consent }).ask(['c'], LOOSE);
    assert.match(said[0]?.join(' ') ?? '', /in a sandbox \(bubblewrap\).*no network/);
    assert.match(said[1]?.join(' ') ?? '', /in a sandbox \(bubblewrap\).*the network/);
    assert.match(
      said[2]?.join(' ') ?? '',
      /Nothing on this system can hold them.*Nothing keeps them from using the network/,
    );
  });
});

function fileOf(id: string): string {
  return join(statePath() as string, 'searches', `${id}.commands.json`);
}
