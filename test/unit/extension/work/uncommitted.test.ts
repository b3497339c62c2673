import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { fake } from '../fake-vscode.ts';

const { askUncommitted } = await import('../../../../src/extension/start/start-command.ts');

describe('what is not committed when work begins', () => {
  beforeEach(() => fake.reset());

  it('is named, and chosen by the person', async () => {
    const paths = Array.from({ length: 10 }, (_, i) => `src/a${i}.ts`);
    const details: string[] = [];
    fake.answer = (items) => {
      const [without, with_] = items as { detail: string; value: boolean }[];
      details.push(without?.detail ?? '', with_?.detail ?? '');
      return with_;
    };
    assert.equal(await askUncommitted(paths), true);
    assert.match(details[0] ?? '', /^Without src\/a0\.ts, .*src\/a7\.ts and 2 more$/);
    assert.match(details[1] ?? '', /^With src\/a0\.ts/);
    fake.answer = (items) => (items as unknown[])[0];
    assert.equal(await askUncommitted(['a']), false);
    fake.answer = () => undefined;
    assert.equal(await askUncommitted(['a']), undefined);
  });

  it('asks nothing where all is committed', async () => {
    assert.equal(await askUncommitted([]), false);
    assert.equal(fake.picks.length, 0);
  });
});
