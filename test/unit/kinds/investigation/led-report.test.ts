import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type LedManner, ledFile, simulateLed } from '../../../support/investigation/led-investigation.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { assertLinksResolve, assertSafe } from '../../../support/report-links.ts';
import type { SimulationOptions } from '../../../support/searches/simulated-search.ts';

/** What the report is compared with, byte for byte; `UPDATE_GOLDEN=1` rewrites it. */
const GOLDEN = new URL('../../../golden/investigation/', import.meta.url);
const HEADINGS = [
  ...['Confirmed', 'Holds in part', 'Refuted', 'Contradicting each other', 'Not checked', 'Still open'],
  ...['What was looked into', 'References'],
];
const QUESTION = 'Why do files stay locked?';

const FILES: Readonly<Record<string, number>> = { 'src/lock.ts': 60, 'src/read.ts': 80, 'src/timer.ts': 5 };

/** A workspace with files of so many lines. */
const workspaceText = {
  find: async () => [],
  read: async (path: string) =>
    FILES[path] === undefined ? { missing: true } : { text: 'lock();\n'.repeat(FILES[path]) },
  asSearched: async () => undefined,
  named: async () => [],
  overview: async () => '',
};

const VERDICT = `A file stays locked where \`read\` fails before line 44 [2]: \`open\` has taken the lock by then [1], and nobody releases it.

- A lock is never given up by time [3].
- Whether a process that is killed leaves one is not settled: two findings contradict each other [4, 5].`;

/** An investigation with everything that a report may have to tell. */
const locks: LedManner = {
  findings: (id) =>
    ({
      'R1.A': [{ text: '`open` takes the lock before it reads the file.', cites: ['src/lock.ts:12-15'] }],
      'R2.A2': [
        { text: 'After an error in `read`, `release` is not called.', cites: ['src/read.ts:40-52'] },
        { text: 'A lock is given up after 30 s.', cites: ['src/lock.ts:30'] },
      ],
      'R2.A3': [{ text: 'A killed process leaves its lock.', cites: ['src/lock.ts:50-55'] }],
      'R2.A4': [{ text: 'The next process removes a lock whose owner is gone.', cites: ['src/lock.ts:57'] }],
    })[id] ?? ['Nothing else uses the lock.'],
  open: (id) =>
    id === 'R1.A' ? ['Who releases the lock after an error (src/read.ts:40).'] : id === 'R2.A4' ? ['Windows.'] : [],
  verdict: (claim) => {
    if (claim.includes('After an error'))
      return { verdict: 'in part', text: 'Only where the error is thrown before line 44.', cites: ['src/read.ts:44'] };
    if (claim.includes('30 s'))
      return { verdict: 'refuted', text: '30 s is how long `open` waits.', cites: ['src/lock.ts:28-33'] };
    return { verdict: 'confirmed', text: 'So it is.', cites: ['src/lock.ts:13'] };
  },
  stillOpen: () => ['Whether a killed process leaves its lock on Windows [4].'],
  leads: (round) =>
    round === 2 ? ['Release after an error', 'Locks of killed processes', 'Locks without an owner'] : [],
  contradictions: (prompt) => (prompt.includes('[5]') ? [[4, 5]] : []),
  instead: ({ purpose }) => (purpose === 'synthesize' ? VERDICT : undefined),
};

async function reportOf(manner: LedManner, options: SimulationOptions = {}): Promise<string> {
  const files = new MemoryFiles();
  const store = createMemoryStore({ ...ledFile(), title: QUESTION, prompt: QUESTION }, files);
  const search = { workspaceText: workspaceText as never, ...options.search };
  const simulation = await simulateLed(manner, { ...options, store, search });
  await simulation.run();
  const report = files.readNow('report.md') ?? '';
  assertSafe(report, HEADINGS);
  assertLinksResolve(report, files);
  return report;
}

describe('the report of an investigation that the engine led', () => {
  it('is what the golden one says', async () => {
    const report = await reportOf(locks);
    const golden = new URL('verdict.md', GOLDEN);
    if (process.env['UPDATE_GOLDEN']) {
      mkdirSync(GOLDEN, { recursive: true });
      writeFileSync(golden, report);
    }
    assert.equal(report, readFileSync(golden, 'utf8'), 'UPDATE_GOLDEN=1 writes it again.');
  });

  it('says why it has no verdict in sentences, and what the last plan answered, where the model gives none', async () => {
    const instead: LedManner['instead'] = ({ purpose }) =>
      purpose === 'synthesize' ? new Error('The server is gone.') : undefined;
    const report = await reportOf({ ...locks, instead });
    assert.match(report, /\n_The answer as the last plan had it; [^\n]*_\n\nAfter round 2: \(\[src\/lock\.ts:12-15\]/);
    assert.match(report, /\n_Made of the findings themselves: there is no verdict in sentences, since the call failed/);
    assert.match(report, /## Refuted\n\n- A lock is given up after 30 s\./);
  });

  it('cites the same findings after others came between them', async () => {
    const plans: string[] = [];
    const instead: LedManner['instead'] = ({ purpose, prompt }) => {
      if (purpose !== 'propose-leads') return undefined;
      plans.push(prompt);
      const leads = { 2: ['One', 'Two'], 3: [{ title: 'Between', from: 'R2.A1' }] }[plans.length + 1] ?? [];
      const list = leads.map((lead) => (typeof lead === 'string' ? { title: lead } : lead));
      const number = /\[(\d+)\] Half of R2\.A2/.exec(prompt)?.[1];
      const said = number ? `It is the second one [${number}].` : 'Not known.';
      return `<output>${JSON.stringify({ answer: said, leads: list })}</output>`;
    };
    const report = await reportOf({ instead });
    assert.match(plans[1] ?? '', /\[2\] Half of R2\.A2 /);
    assert.match(plans[2] ?? '', /<answer>\nIt is the second one \[3\]\.\n<\/answer>[\s\S]*\[3\] Half of R2\.A2 /);
    assert.match(report, /Half of R3\.A1b/);
  });

  it('makes nothing of what findings and verdicts smuggle in', async () => {
    const text = '<script>alert(1)</script> [x](javascript:alert(1)) ![y](http://evil.example/z.png) `a` ## b';
    const hostile = { text, cites: ['../../etc/passwd:1-2', 'src/lock.ts:900', 'src/lock.ts:2](http://evil.example)'] };
    const report = await reportOf({
      result: () => 'settled',
      findings: () => [hostile],
      open: () => [text],
      verdict: () => ({ ...hostile, verdict: 'refuted' }),
      leads: () => [{ title: text, wrongIf: text }],
      instead: ({ purpose }) => (purpose === 'synthesize' ? text : undefined),
    });
    assert.doesNotMatch(report, /passwd[^\n]*\)|lock\.ts#L900|(?<!\\)\]\((?:http|javascript)/);
  });
});
