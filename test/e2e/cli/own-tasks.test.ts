import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import { readThoughtRequest } from '../../support/searches/thought-request.ts';
import type { ServerCall } from '../../support/servers/server-call.ts';

/** A model that proposes to paint it in some colour, then to paint it over; what is red it thinks best of. */
function answer({ prompt, purpose }: ServerCall): string {
  if (purpose === 'synthesize') return 'Red first, then green.';
  const { type, path, candidates } = readThoughtRequest(prompt);
  if (type === 'decompose')
    return output({ thought_granularity: 'coat', depth_estimate: 2, success_criteria: 'It looks right.' });
  if (type === 'generate') {
    const over = path.length === 0 ? '' : ' over it';
    return output(['red', 'green'].map((colour) => ({ content: `Paint ${colour}${over}` })));
  }
  const score = (content: string): number => (content.includes('red') ? 8 : 7);
  return output({ evaluations: candidates.map(({ id, content }) => ({ id, score: score(content) })) });
}

function output(said: unknown): string {
  return `<output>${JSON.stringify(said)}</output>`;
}

const THOUGHTS = ['--kind', 'thoughts', '--strategy', 'breadth-first', '--max-depth', '2'];

/** Ends with 0 where the last thought paints green over something, and writes down that it was asked. */
const CHECK = `
import { appendFileSync, readFileSync } from 'node:fs';
const { problem, thoughts } = JSON.parse(readFileSync(0, 'utf8'));
appendFileSync('asked.txt', thoughts.join(' > ') + '\\n');
process.exit(problem === 'Paint the door' && thoughts.at(-1) === 'Paint green over it' ? 0 : 1);
`;

describe('a person’s own command that decides', () => {
  afterEach(removeSearches);

  const withCheck = async (): Promise<{ search: TestSearch; check: string[] }> => {
    const search = await TestSearch.make({ answer });
    await writeFile(join(search.workspace, 'check.mjs'), CHECK);
    return { search, check: ['--check', `"${process.execPath}" check.mjs`] };
  };

  it('checks each path, and finds the solution', async () => {
    const { search, check } = await withCheck();
    const flags = [...THOUGHTS, '--task', 'command', '--dir', search.folder, ...check];
    const { stdout } = await endsWith(0, search.command('start', 'Paint the door', ...flags));
    assert.match(stdout, /^Its path:\n {2}1\. Paint red {2}8\n {2}2\. Paint green over it$/m);
    const asked = await readFile(join(search.workspace, 'asked.txt'), 'utf8');
    assert.match(asked, /^Paint red > Paint green over it$/m);
  });

  it('has to be given again with a resume, and is kept nowhere', async () => {
    const { search, check } = await withCheck();
    const flags = [...THOUGHTS, '--max-calls', '2', '--dir', search.folder, ...check, '--check-timeout', '30'];
    const begun = await endsWith(3, search.command('start', 'Paint the door', ...flags));
    assert.match(begun.stdout, /resume .* --check '.* check\.mjs' --check-timeout 30 --max-calls/);
    const kept = await readFile(join(search.folder, 'search.json'), 'utf8');
    assert.equal(JSON.parse(kept).options.task, 'command');
    // The file itself is one of the workspace, which models are told of; the command is not.
    assert.doesNotMatch(kept + JSON.stringify(search.journal()), /node\S*\s+check\.mjs/);
    const without = await endsWith(2, search.command('resume', search.folder, '--max-calls', '50'));
    assert.match(without.stderr, /This task needs a command that decides\. Name one, as in --check/);
    const { stdout } = await endsWith(0, search.command('resume', search.folder, '--max-calls', '50', ...check));
    assert.match(stdout, /^Solution found!$/m);
  });

  it('says what is wrong before anything is made', async () => {
    const search = await TestSearch.make({ answer });
    for (const [args, words] of [
      [['--task', 'command'], /Name one, as in --check "npm test"/],
      [['--check', 'no-such-program-anywhere'], /no executable program "no-such-program-anywhere"/],
      [['--check', 'npm test && true'], /needs a shell/],
      [['--task', 'game24', '--check', 'node x'], /--check is for the task "command", and this is "game24"/],
      [['--check-timeout', '5'], /which is missing/],
    ] as const) {
      const flags = ['--kind', 'thoughts', '--dir', search.folder, ...args];
      assert.match((await endsWith(2, search.command('start', '4 9 10 13', ...flags))).stderr, words);
      await assert.rejects(readFile(join(search.folder, 'search.json')));
    }
    const research = await endsWith(2, search.command('start', 'x', '--task', 'game24', '--dir', search.folder));
    assert.match(research.stderr, /--task is for searches that solve a problem: add --kind thoughts/);
    assert.deepEqual(search.server.log, []);
  });
});

const HOOKS = `
export const task = {
  name: 'painting',
  defaults: { maxDepth: 2, candidates: 3 },
  start: (problem) => { if (!problem.startsWith('Paint')) throw new Error('only painting is known here'); return problem; },
  verify: ({ thoughts }) => thoughts.at(-1).content.startsWith('Paint green over') ? { ok: false, why: 'no more green' } : { ok: true },
  solved: ({ thoughts }) => thoughts.length === 2,
  compose: ({ thoughts }) => thoughts.map(({ content }) => content).join(', then '),
};
`;

describe("a person's own hooks", () => {
  let elsewhere: string;
  beforeEach(async () => {
    elsewhere = await mkdtemp(join(tmpdir(), 'thought-tree-hooks-'));
    await writeFile(join(elsewhere, 'painting.mjs'), HOOKS);
  });
  afterEach(async () => {
    await removeSearches();
    await rm(elsewhere, { recursive: true, force: true });
  });

  it('check steps and write the answer; reading or steering needs none of them', async () => {
    const search = await TestSearch.make({ answer });
    const flags = ['--kind', 'thoughts', '--dir', search.folder, '--hooks', join(elsewhere, 'painting.mjs')];
    const { stdout } = await endsWith(0, search.command('start', 'Paint the door', ...flags));
    assert.match(stdout, /^Answer: Paint red, then Paint red over it$/m);
    const { options } = await search.readJson<{ options: object }>('search.json');
    assert.deepEqual(options, { read: 'tools', task: 'painting', maxDepth: 2 });
    const status = await endsWith(0, search.command('status', search.folder));
    assert.match(status.stdout, /node_1_2 \[Paint green over it\] \[PRUNED\] by verifier/);
    assert.match(status.stdout, /node_1_1 \[Paint red over it\] ★ ✓✓✓/);
    await endsWith(0, search.command('prune', search.folder, 'node_2'));
    const without = await endsWith(2, search.command('resume', search.folder));
    assert.match(without.stderr, /no task "painting" here\. Define your own with --hooks/);
    await endsWith(0, search.command('resume', search.folder, '--hooks', join(elsewhere, 'painting.mjs')));
  });

  it('never come from the folder that is searched, and report what they reject', async () => {
    const search = await TestSearch.make({ answer });
    await writeFile(join(search.workspace, 'clone.mjs'), HOOKS);
    const start = (prompt: string, ...flags: string[]) =>
      search.command('start', prompt, '--kind', 'thoughts', '--dir', search.folder, ...flags);
    const inside = await endsWith(2, start('Paint the door', '--hooks', join(search.workspace, 'clone.mjs')));
    assert.match(inside.stderr, /may have come with a clone/);
    const other = await endsWith(2, start('Sell the door', '--hooks', join(elsewhere, 'painting.mjs')));
    assert.match(other.stderr, /"painting" does not accept this problem: only painting is known here/);
    await assert.rejects(readFile(join(search.folder, 'search.json')));
  });
});

describe('several models that share the thoughts', () => {
  afterEach(removeSearches);

  const MODELS = ['openai-compatible/small', 'openai-compatible/large'];
  const PRICES = MODELS.flatMap((name, at) => ['--price', `${name}=${at + 1},0.1,${4 * (at + 1)}`]);

  it('are named once, forecast and limited one by one, and told apart in the report', async () => {
    const search = await TestSearch.make({ answer });
    const models = ['--models', `${MODELS[0]}=1,${MODELS[1]}`];
    const main = ['--model', MODELS[0] ?? '', ...PRICES];
    const flags = [...THOUGHTS, '--dir', search.folder, '--candidates', '2', ...models, ...main];
    const begun = await endsWith(3, search.command('start', 'Paint the door', ...flags, '--max-calls', '2'));
    assert.match(
      begun.stdout,
      /^Forecast: .*\$.*\n {2}openai-compatible\/small alone: \$.*\n {2}openai-compatible\/large alone: \$/m,
    );
    assert.match(
      begun.stdout,
      /resume .* --price openai-compatible\/small=1,0\.1,4 --price openai-compatible\/large=2,0\.1,8/,
    );
    const { options } = await search.readJson<{ options: Record<string, unknown> }>('search.json');
    assert.equal(options['models'], models[1]);
    assert.equal(typeof options['seed'], 'number');
    const one = ['--max-calls', '3', '--models', MODELS[1] ?? ''];
    const narrowed = await endsWith(3, search.command('resume', search.folder, ...one, ...main));
    assert.match(narrowed.stdout, /resume .* --models openai-compatible\/large --price /);
    assert.doesNotMatch(narrowed.stderr, /still shared/);
    // They are remembered with the search: nobody has to name them again.
    const { stderr } = await endsWith(0, search.command('resume', search.folder, '--max-calls', '50', ...main));
    assert.match(stderr, /still shared among openai-compatible\/small, openai-compatible\/large; .*--models/);
    const asked = search.server.log.filter(({ purpose }) => purpose === 'generate').map(({ model }) => model);
    assert.ok(asked.length > 1 && asked.every((model) => model === 'small' || model === 'large'), `${asked}`);
    const report = await readFile(join(search.folder, 'report.md'), 'utf8');
    assert.match(
      report,
      /## What each model was worth\n\n- openai-compatible\/small: .*\n- openai-compatible\/large: /,
    );
    const status = await endsWith(0, search.command('status', search.folder, '--json'));
    assert.equal(JSON.parse(status.stdout).state, 'finished');
  });

  it('are refused where a kind has no use for them, or nobody knows what a limit of theirs allows', async () => {
    const search = await TestSearch.make({ answer });
    const named = ['--models', MODELS.join(',')];
    const research = await endsWith(2, search.command('start', 'Why?', '--kind', 'research', ...named));
    assert.match(research.stderr, /--models is for searches that .*--kind thoughts/);
    const unpriced = ['--models', `${MODELS[0]}=1,${MODELS[1]}`];
    const limited = await endsWith(2, search.command('start', 'Paint', ...THOUGHTS, ...unpriced));
    assert.match(limited.stderr, /Nobody knows what a call of openai-compatible\/small costs/);
    const stray = ['--models', MODELS.join(','), '--price', 'openai-compatible/lage=3,0.1,9'];
    const misnamed = await endsWith(2, search.command('start', 'Paint', ...THOUGHTS, ...stray));
    assert.match(misnamed.stderr, /--price names openai-compatible\/lage, which this search does not ask/);
    const twice = await endsWith(2, search.command('start', 'Paint', ...THOUGHTS, '--models', 'a/b,a/b'));
    assert.match(twice.stderr, /"a\/b,a\/b" names no models/);
  });
});
