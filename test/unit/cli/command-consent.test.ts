import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planFrom } from '../../../src/cli/options/kind-options.ts';
import { CommandConsent } from '../../../src/cli/running/consent.ts';
import type { Kind } from '../../../src/engine/kind.ts';

const PLAN = { prompt: 'p', text: 't', lines: [], commands: ['make a', 'make b'] };

// Tests have no terminal to ask at.
describe('the commands of a plan, where nobody can be asked', () => {
  it('run only if this person said so on the command line', async () => {
    const consent = new CommandConsent({});
    assert.throws(() => consent.check(['make a', 'make b']), {
      reason: 'bad-input',
      message: /2 commands.*make a.*--allow-commands/,
    });
    await assert.rejects(consent.allows(['make a\u202e']), { message: /make a\\u\{202e\}/ });
    assert.throws(
      () => consent.check([`make ${'a'.repeat(1000)}`]),
      ({ message }: Error) => message.length < 320,
    );
    assert.equal(await consent.allows([]), true, 'there is nothing to agree to');
    assert.equal(await new CommandConsent({ allowCommands: true }).allows(['anything']), true);
  });
});

describe('the file of a plan', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-plan-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const read = (text: string, file: string) => ({ ...PLAN, text, prompt: file });
  const kind = { extras: { plans: { read } } } as unknown as Kind;

  it('is read as text, and its kind told its name', async () => {
    const path = join(folder, 'a.yaml');
    await writeFile(path, 'goal: ü\n');
    assert.deepEqual(await planFrom({ plan: path }, kind), { ...PLAN, text: 'goal: ü\n', prompt: 'a.yaml' });
    assert.equal(await planFrom({}, kind), undefined);
  });

  it('is refused where it is no file, no text, or too large', async () => {
    await assert.rejects(planFrom({ plan: join(folder, 'none.yaml') }, kind), { reason: 'bad-input' });
    await assert.rejects(planFrom({ plan: folder }, kind), { reason: 'bad-input' });
    const path = join(folder, 'b.yaml');
    await writeFile(path, Buffer.from([0x67, 0xff, 0xfe]));
    await assert.rejects(planFrom({ plan: path }, kind), { reason: 'damaged', message: /UTF-8/ });
    await writeFile(path, Buffer.alloc(4 * 1024 * 1024 + 1, 0x20));
    await assert.rejects(planFrom({ plan: path }, kind), { reason: 'damaged', message: /too large/ });
  });
});
