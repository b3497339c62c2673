import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stepsAnswer } from '../../support/game24/game24-server.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/servers/scripted-server.ts';
import { type CliEnd, type RunningCli, startCli } from './run-cli.ts';

interface Comparison {
  readonly end: string;
  readonly message?: string;
  readonly wanted: number;
  readonly strategies: Readonly<Record<string, Sums>>;
  readonly total: Sums;
  readonly pairs: readonly { setup: string; against: string; problems: number; wins: number; difference: number }[];
  readonly searches: readonly {
    setup: string;
    seed: number;
    strategy: string;
    problem: string;
    end: string;
    results: { minutes?: number };
  }[];
}
interface Sums {
  readonly searches: number;
  readonly solved: number;
  readonly stopped: number;
  readonly calls: number;
  readonly callsByPurpose: Readonly<Record<string, number>>;
  readonly tokens: Readonly<Record<string, number>>;
  readonly usd: number;
  minutes?: number;
}

/** All that has to be the same twice. */
function withoutTimes(text: string): Comparison {
  const comparison = JSON.parse(text) as Comparison;
  for (const sums of [comparison.total, ...Object.values(comparison.strategies)]) {
    delete sums.minutes;
    // What a cache serves depends on what the server was asked before.
    delete (sums.tokens as { cached?: number }).cached;
  }
  for (const { results } of comparison.searches) delete results.minutes;
  return comparison;
}

describe('thought-tree compare', () => {
  let server: ScriptedServer;
  let cwd: string;
  let latencyMs = 0;
  before(async () => {
    server = await startScriptedServer({ answer: stepsAnswer(), latencyMs: () => latencyMs });
  });
  beforeEach(async () => {
    latencyMs = 0;
    cwd = await mkdtemp(join(tmpdir(), 'thought-tree-compare-test-'));
    await writeFile(join(cwd, 'problems.txt'), '4 9 10 13\n\n10 13 4 9\n');
  });
  afterEach(() => rm(cwd, { recursive: true, force: true }));
  after(() => server.close());

  const ALL = ['--problems', 'problems.txt', '--task', 'game24', '--tries', '1'];
  const start = (...args: string[]): RunningCli => {
    const env = {
      THOUGHT_TREE_BASE_URL: server.baseUrl,
      THOUGHT_TREE_MODEL: 'openai-compatible/scripted',
      TMPDIR: cwd,
    };
    return startCli(['compare', ...args], { cwd, env });
  };
  async function run(code: number, ...args: string[]): Promise<CliEnd> {
    const end = await start(...args).end;
    assert.equal(end.code, code, `${end.stderr}\n${end.stdout}`);
    return end;
  }

  it('compares, where none is named, every strategy that goes with the task', async () => {
    const { stdout } = await run(0, ...ALL, '--json');
    const five = ['breadth-first', 'depth-first', 'best-first', 'adaptive', 'uct'];
    assert.deepEqual(Object.keys((JSON.parse(stdout) as Comparison).strategies), five);
  });

  it('prints an aligned table with a line for all, and keeps nothing', async () => {
    const asked = server.log.length;
    const { stdout, stderr } = await run(0, ...ALL, '--strategies', 'depth-first,best-first', '--price', '1,1,1');
    const [table = '', pairs = ''] = stdout.trimEnd().split('\n\n');
    const [label, head, ...rows] = table.split('\n') as string[];
    assert.match(label as string, /scripted/);
    assert.match(head as string, /^set-up +solved +calls +a problem +generate +evaluate +tokens +money +time$/);
    assert.deepEqual(
      rows.map((row) => /^\S+ +\d of \d/.exec(row)?.[0].replace(/ +/, ' ')),
      ['depth-first 2 of 2', 'best-first 2 of 2', 'total 4 of 4'],
    );
    assert.equal(new Set([head, ...rows].map((row) => row?.length)).size, 1, stdout);
    const columns = rows.map((row) => row.split(/ {2,}/));
    assert.equal(Number(columns[2]?.[2]), server.log.length - asked, 'each call is counted once');
    assert.equal(Number(columns[0]?.[2]) + Number(columns[1]?.[2]), Number(columns[2]?.[2]));
    assert.match(columns[2]?.[7] ?? '', /^\$\d/);
    assert.match(
      pairs,
      /^against depth-first +problems +wins +losses +difference +95 % +p\nbest-first +2 +0 +0 +0\.0 +– +1\.000$/m,
    );
    assert.match(stderr, /^depth-first: 4 9 10 13: solved \(\d+ calls\)$/m);
    assert.deepEqual(await readdir(cwd), ['problems.txt']);
  });

  it('gives the same numbers for a recording every time, and for the same problem twice', async () => {
    const three = [...ALL, '--strategies', 'breadth-first,depth-first,best-first'];
    await run(0, ...three, '--record', 'kept.jsonl');
    await writeFile(join(cwd, 'problems.txt'), '4 9 10 13\n4 9 10 13\n');
    const asked = server.log.length;
    const replayed = async (): Promise<Comparison> =>
      withoutTimes((await run(0, ...three, '--model', 'replay/kept.jsonl', '--json')).stdout);
    const first = await replayed();
    assert.deepEqual(await replayed(), first);
    assert.equal(server.log.length, asked);
    assert.equal(first.end, 'complete');
    assert.deepEqual(Object.keys(first.strategies), ['breadth-first', 'depth-first', 'best-first']);
    assert.deepEqual(
      first.pairs.map(({ setup, against, problems, difference }) => [setup, against, problems, difference]),
      [
        ['depth-first', 'breadth-first', 2, 0],
        ['best-first', 'breadth-first', 2, 0],
      ],
    );
    for (const strategy of Object.keys(first.strategies)) {
      const [one, other] = first.searches.filter((each) => each.strategy === strategy);
      assert.equal(one?.end, 'solved');
      assert.deepEqual(one, { ...other, line: 1 });
    }
    assert.equal(first.total.usd, 0);
    const purposes = Object.values(first.total.callsByPurpose).reduce((sum, count) => sum + count, 0);
    assert.equal(purposes, first.total.calls);
  });

  it('ends a problem as unsolved where a recording was never asked, names the question, and goes on', async () => {
    await run(0, ...ALL, '--strategies', 'depth-first', '--record', 'kept.jsonl');
    await writeFile(join(cwd, 'problems.txt'), '1 2 3 4\n4 9 10 13\n');
    const end = await run(0, ...ALL, '--strategies', 'depth-first', '--model', 'replay/kept.jsonl');
    assert.match(end.stdout, /^set-up +solved +not recorded +calls /m);
    assert.match(end.stdout, /^depth-first +1 of 2 +1 /m);
    assert.match(
      end.stderr,
      /^depth-first: 1 2 3 4: unsolved: .*Nobody asked for these next thoughts after "1 2 3 4"/m,
    );
  });

  it('tries another judge’s grouping on a recording, which holds no answer to those words', async () => {
    const one = ['--strategies', 'breadth-first', '--beam', '5'];
    await run(0, ...ALL, ...one, '--record', 'kept.jsonl');
    const asked = server.log.length;
    const { stdout } = await run(0, ...ALL, ...one, '--judge-by', 'parent', '--model', 'replay/kept.jsonl');
    assert.match(stdout, /^breadth-first +2 of 2 /m);
    assert.equal(server.log.length, asked);
  });

  it('stops all searches together at a limit, and continues them in a folder that keeps them', async () => {
    const kept = [...ALL, '--strategies', 'depth-first', '--dir', 'kept'];
    const whole = withoutTimes((await run(0, ...ALL, '--strategies', 'depth-first', '--json')).stdout);
    const most = whole.total.calls - 2;
    const asked = server.log.length;
    const stopped = withoutTimes((await run(3, ...kept, '--max-calls', String(most), '--json')).stdout);
    assert.equal(server.log.length - asked, most);
    assert.deepEqual([stopped.end, stopped.total.calls, stopped.total.stopped], ['budget', most, 1]);
    const again = await run(3, ...kept, '--max-calls', String(most));
    assert.match(again.stdout, new RegExp(`^total +1 of 2 +1 +${most} `, 'm'));
    assert.match(again.stderr, /limit of calls for the whole comparison is reached/);
    assert.match(
      again.stderr,
      /^1 of 2 searches did not come to their end\.\nRun the same command again to continue them\.$/m,
    );
    const { total } = withoutTimes((await run(0, ...kept, '--json')).stdout);
    assert.deepEqual(total, whole.total);
    assert.equal(server.log.length - asked, whole.total.calls, 'nothing is asked again');
    await run(0, ...kept);
    assert.equal(server.log.length - asked, whole.total.calls);
    const other = await run(2, ...kept, '--beam', '2');
    assert.match(other.stderr, /with other options or another model/);
  });

  it('lets another model score, as recorded in its searches', async () => {
    const kept = [...ALL, '--strategies', 'breadth-first', '--dir', 'judged', '--judge', 'openai-compatible/strict'];
    const from = server.log.length;
    const { stdout } = await run(0, ...kept);
    assert.match(stdout, /scripted.*strict.* scores$/m);
    const asked = new Set(server.log.slice(from).map(({ purpose, model }) => `${purpose} ${model}`));
    assert.deepEqual([...asked].sort(), ['evaluate strict', 'generate scripted']);
  });

  it('compares set-ups that differ in models and options, each problem so many times', async () => {
    const from = server.log.length;
    const setups = [
      '--setup',
      '--strategy depth-first',
      '--setup',
      '--strategy best-first --model openai-compatible/other',
    ];
    const kept = [...ALL, ...setups, '--seeds', '2', '--dir', 'kept'];
    const { pairs, searches, strategies, wanted } = withoutTimes((await run(0, ...kept, '--json')).stdout);
    const [one = '', other = ''] = ['strategy depth-first', 'strategy best-first model openai-compatible/other'];
    assert.deepEqual(Object.keys(strategies), [one, other]);
    assert.deepEqual(
      searches.slice(0, 4).map(({ setup, strategy, seed }) => [setup, strategy, seed]),
      [1, 2].flatMap((seed) => [
        [one, 'depth-first', seed],
        [other, 'best-first', seed],
      ]),
    );
    assert.equal(wanted, 8);
    assert.deepEqual(
      pairs.map(({ setup, against, problems }) => [setup, against, problems]),
      [[other, one, 2]],
    );
    const models = server.log.slice(from).map(({ model }) => model);
    assert.deepEqual([...new Set(models)].sort(), ['other', 'scripted']);
    const asked = server.log.length;
    assert.deepEqual(withoutTimes((await run(0, ...kept, '--json')).stdout).searches, searches);
    assert.equal(server.log.length, asked, 'all of them were kept');
  });

  it('writes a page and a picture that need nothing else', async () => {
    await run(0, ...ALL, '--strategies', 'depth-first,best-first', '--out', 'all.html', '--out', 'all.svg');
    const page = await readFile(join(cwd, 'all.html'), 'utf8');
    assert.match(page, /<th dir="auto">against depth-first<\/th>/);
    assert.match(page, /<svg /);
    const picture = await readFile(join(cwd, 'all.svg'), 'utf8');
    assert.match(picture, /2 of 2/);
    assert.match(picture, /0\.0 \(–\), p 1\.000/);
  });

  it('ends with the results so far when a person stops it', async () => {
    latencyMs = 400;
    const asked = server.log.length;
    const running = start(...ALL, '--strategies', 'depth-first,best-first', '--json');
    await server.until((log) => log.length > asked + 10);
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.end;
    assert.equal(code, 130, stderr);
    const { end, searches, wanted } = withoutTimes(stdout);
    assert.deepEqual([end, wanted], ['user', 4]);
    assert.equal(searches[0]?.end, 'solved');
    assert.ok(searches.length < 4);
    assert.deepEqual(await readdir(cwd), ['problems.txt']);
  });

  it('reads the puzzles of a CSV file', async () => {
    await writeFile(join(cwd, 'puzzles.csv'), 'Rank,Puzzles,"time, s"\r\n1,"4 9 10 13",4.4\r\n');
    const { stdout } = await run(0, '--problems', 'puzzles.csv', '--task', 'game24', '--strategies', 'depth-first');
    assert.match(stdout, /^total +1 of 1 /m);
  });

  it('says what is wrong before anything is asked', async () => {
    await writeFile(join(cwd, 'empty.txt'), '\n');
    await writeFile(join(cwd, 'wrong.txt'), '4 9 10 13\n4 9\n');
    await writeFile(join(cwd, 'wrong.csv'), 'a\n"b');
    const asked = server.log.length;
    for (const [args, words] of [
      [['--problems', 'none.txt'], /There is no file .*none\.txt/],
      [['--problems', 'empty.txt'], /contains no problems/],
      [['--problems', 'wrong.csv'], /Line 2 of the CSV file cannot be read/],
      [['--problems', 'wrong.txt', '--task', 'game24'], /Line 2 of the problems: .*four whole numbers/],
      [[...ALL, '--strategies', 'depth-first,widest'], /some of breadth-first,depth-first,best-first/],
      [[...ALL, '--strategy', 'depth-first'], /with --strategies/],
      [[...ALL, '--strategies', 'depth-first', '--setup', '--beam 2'], /not with both/],
      [[...ALL, '--setup', '--beam 2', '--setup', '--beam 2'], /"beam 2" is there twice/],
      [[...ALL, '--setup', '--widest 2'], /--widest 2 cannot be read: unknown option/],
      [[...ALL, '--setup', '--dir x'], /cannot be read: unknown option/],
      [[...ALL, '--out', 'all.txt'], /end in \.html, for a page, or in \.svg/],
      [[...ALL, '--model', 'workspace/quotes'], /neither propose thoughts nor judge/],
      [[...ALL, '--model', 'replay/none.jsonl'], /There is no recording/],
      [[], /Name two searches/],
    ] as const)
      assert.match((await run(2, ...args)).stderr, words);
    assert.equal(server.log.length, asked);
    assert.deepEqual((await readdir(cwd)).sort(), ['empty.txt', 'problems.txt', 'wrong.csv', 'wrong.txt']);
  });
});
