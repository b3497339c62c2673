import assert from 'node:assert/strict';
import { pathOf, walk } from '../../../../src/core/tree/tree.ts';
import type { Claim } from '../../../../src/kinds/investigation/led/claims.ts';
import {
  keptAnswer,
  numberedAnswer,
  outcomeOfCheck,
  verdictsIn,
} from '../../../../src/kinds/investigation/led/claims.ts';
import { ownFieldsOf } from '../../../../src/kinds/investigation/run/kept-data.ts';
import { type LedManner, ledFile, simulateLed } from '../../../support/investigation/led-investigation.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';

const VERIFIED = { state: 'VERIFY' } as const;

/** A check that says something of each claim, and of nothing else. */
function checkOf(...verdicts: readonly string[]): string {
  const entries = verdicts.map((verdict, at) => `  - claim: ${at + 1}\n    verdict: ${JSON.stringify(verdict)}`);
  return `---\ntitle: Check\nsummary: What holds.\nfindings:\n${entries.join('\n')}\n---\n\nLooked.\n`;
}

const read = (verdict: string): string | undefined => verdictsIn(checkOf('refuted', verdict), 2, VERIFIED)[1]?.outcome;

async function reportOf(manner: LedManner): Promise<string> {
  const files = new MemoryFiles();
  const simulation = await simulateLed(manner, { store: await createMemoryStore(ledFile(), files) });
  await simulation.run();
  return files.readNow('report.md') ?? '';
}

describe('a check', () => {
  it('confirms only by a word that begins with it, and refutes by a denial', () => {
    for (const said of ['confirmed', 'Confirmed.', 'verified', 'holds', 'true']) assert.equal(read(said), 'confirmed');
    for (const said of ['does not hold', "doesn't hold", 'is not true', 'no longer holds', 'incorrect', 'untrue'])
      assert.equal(read(said), 'refuted', said);
    for (const said of ['refuted', 'false', 'wrong', 'disproved', 'disconfirmed'])
      assert.equal(read(said), 'refuted', said);
    for (const said of ["can't be confirmed", 'impossible to verify', 'not confirmed', 'never verified', 'unclear'])
      assert.equal(read(said), 'not checked', said);
    for (const said of ['in part', 'holds in part', 'true only on Windows']) assert.equal(read(said), 'in part', said);
  });

  it('counts though it names no lines, and gives no text', () => {
    assert.deepEqual(
      verdictsIn(checkOf('confirmed', 'refuted'), 2, VERIFIED).map(({ outcome }) => outcome),
      ['confirmed', 'refuted'],
    );
  });

  it('of all claims at once holds of each as it is said', () => {
    for (const verdict of ['confirmed', 'in part', 'refuted', 'not checked'] as const) {
      const outcome = outcomeOfCheck({ verdict }, 2);
      const document = `---\ntitle: Check\nsummary: What holds.\nverdict: ${verdict}\n---\n\nLooked.\n`;
      const own = { state: verdict === 'refuted' ? 'DEAD' : verdict === 'not checked' ? 'EXPLORE' : 'VERIFY', outcome };
      assert.deepEqual(
        verdictsIn(document, 2, own as never).map((each) => each.outcome),
        [verdict, verdict],
      );
    }
  });

  it('is given every finding of the first look, and the report tells of each', async () => {
    const all = Array.from({ length: 12 }, (_, at) => `Rule ${at + 1} of the timer.`);
    const checked = new Set<string>();
    const report = await reportOf({
      result: () => 'settled',
      findings: () => all,
      verdict: (claim) => {
        checked.add(/Rule \d+/.exec(claim)?.[0] ?? '');
        return 'confirmed';
      },
    });
    assert.equal(checked.size, 12);
    for (const each of all) assert.ok(report.includes(`- ${each}`), each);
  });
});

describe('a finding whose check, or whose lead, could not be done again', () => {
  for (const [role, purpose] of [
    ['check', 'verify-finding'],
    ['lead', 'investigate'],
  ] as const)
    it(`is not confirmed any more: ${role}`, async () => {
      const files = new MemoryFiles();
      let isGone = false;
      const instead: LedManner['instead'] = (asked) =>
        isGone && asked.purpose === purpose ? new Error('The server is gone.') : undefined;
      const manner: LedManner = { result: () => 'settled', leads: () => [], instead };
      const simulation = await simulateLed(manner, { store: await createMemoryStore(ledFile(), files) });
      await simulation.run();
      assert.match(files.readNow('report.md') ?? '', /## Confirmed\n/);
      isGone = true;
      const { search, clock } = simulation;
      const node = [...walk(search.tree.root)].find(({ file }) => ownFieldsOf(file?.own)?.role === role);
      assert.ok(node);
      await clock.run(search.act({ action: 'redo', node: pathOf(node) }, 'me'));
      await simulation.run();
      const report = files.readNow('report.md') ?? '';
      assert.equal(node.status, 'failed');
      assert.doesNotMatch(report, /## Confirmed/);
      assert.equal(/## Not checked\n\n- Half of R1\.A/.test(report), role === 'check');
    });
});

describe('an answer that is kept', () => {
  const claimAt = (nodeId: string, place: number): Claim => ({ lead: { own: { nodeId } }, place }) as never;
  const first = [1, 2, 3, 4].map((place) => claimAt('R1.A', place));
  const later = [claimAt('R2.A1', 1), ...first];

  it('cites the findings of a range after others came before them', () => {
    assert.equal(numberedAnswer(keptAnswer('It waits [1-3], not [4].', first), later), 'It waits [2, 3, 4], not [5].');
    const many = Array.from({ length: 40 }, (_, at) => claimAt('R1.A', at + 1));
    assert.match(numberedAnswer(keptAnswer('All [1-10, 11-20, 21-30].', many), many), /^All \[1, 2, .*, 30\]\.$/);
  });

  it('leaves code as it is', () => {
    assert.equal(numberedAnswer(keptAnswer('It reads `argv[2]` [2].', first), later), 'It reads `argv[2]` [3].');
  });
});
