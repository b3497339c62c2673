import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliProcess } from '../../support/cli-process.ts';
import { STEPS, stepsAnswer } from '../../support/game24/game24-server.ts';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import { readThoughtRequest } from '../../support/searches/thought-request.ts';

describe('a search for a solution from the command line', () => {
  afterEach(removeSearches);

  it('prints the answer and its path, and keeps them in the report', async () => {
    const search = await TestSearch.make({ answer: stepsAnswer() });
    const flags = ['--kind', 'thoughts', '--task', 'game24', '--dir', search.folder];
    const { stdout } = await endsWith(0, search.command('start', '4 9 10 13', ...flags));
    assert.match(stdout, /^Answer: \(10 - 4\) \* \(13 - 9\) = 24$/m);
    assert.match(stdout, /^ {2}1\. 10 - 4 = 6 \(left: 6 9 13\) {2}9$/m);
    assert.match(stdout, /^Solution found!$/m);
    assert.doesNotMatch(stdout, /still open/);
    const report = await readFile(join(search.folder, 'report.md'), 'utf8');
    assert.match(report, /^# 4 9 10 13\n\n\*\*\(10 - 4\)/);
    const file = await search.readJson<{ strategy: string; options: object }>('search.json');
    assert.deepEqual([file.strategy, file.options], ['best-first', { read: 'tools', task: 'game24', maxDepth: 3 }]);
    const status = await endsWith(0, search.command('status', search.folder));
    assert.match(status.stdout, /^Answer {4}\(10 - 4\) \* \(13 - 9\) = 24$/m);
    assert.match(status.stdout, /^├── node_1 \[13 \* 4 = 52 \(left: 9 10 52\)\] score:2\.0$/m);
    assert.match(status.stdout, /^├── node_2 \[10 - 4 = 6 \(left: 6 9 13\)\] score:9\.0 ★$/m);
    assert.match(status.stdout, /└── node_2_1_2 \[6 \* 4 = 24 \(left: 24\)\] ★ ✓✓✓$/m);
    assert.match(status.stdout, /^└── node_3 \[13 - 9 = 5 \(left: 4 5 10\)\] \[PRUNED\] by verifier$/m);
    const { nodes } = JSON.parse((await endsWith(0, search.command('status', search.folder, '--json'))).stdout);
    const [node] = nodes.filter(({ path }: { path: string }) => path === 'node_2');
    assert.deepEqual([node.score, node.confidence], [9, 0.9]);
    assert.deepEqual(
      search.server.log.map(({ purpose }) => purpose),
      ['generate', 'evaluate', 'generate', 'evaluate', 'generate'],
    );
  });

  it('ends its events with the result in the format of the source', async () => {
    const search = await TestSearch.make({ answer: stepsAnswer() });
    const flags = ['--kind', 'thoughts', '--task', 'game24', '--dir', search.folder, '--json'];
    const { stdout } = await endsWith(0, search.command('start', '4 9 10 13', ...flags));
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const message = lines.at(-1);
    assert.equal(message.type, 'search_complete');
    assert.equal(message.payload.final_solution.answer, '(10 - 4) * (13 - 9) = 24');
    assert.equal(message.payload.stats.llm_calls, 5);
    const finished = lines.find(({ type }) => type === 'search-finished');
    assert.equal(finished.reason, 'solved');
    assert.equal(finished.results.thoughts.answer, '(10 - 4) * (13 - 9) = 24');
  });

  it('shows the tree if nothing was found', async () => {
    const search = await TestSearch.make({ answer: stepsAnswer({ root: STEPS['root'] ?? [] }) });
    const flags = ['--kind', 'thoughts', '--task', 'game24', '--tries', '1', '--dir', search.folder];
    const { stdout } = await endsWith(0, search.command('start', '4 9 10 13', ...flags));
    assert.match(stdout, /^No solution was found\.$/m);
    assert.match(stdout, /^root \[4 9 10 13\]$/m);
  });

  it('prints what may be done where all was pruned, and that leads on', async () => {
    const search = await TestSearch.make({
      answer: ({ purpose, prompt }) => {
        if (purpose === 'synthesize') return 'Wait for spring.';
        if (purpose === 'review') return '<output>{"defects": []}</output>';
        const { type, path, candidates } = readThoughtRequest(prompt);
        if (type === 'decompose') return '<output>{"success_criteria": ["It blooms"], "solutions": "exact"}</output>';
        if (type === 'generate') return `<output>["step ${path.length + 1}a", "step ${path.length + 1}b"]</output>`;
        return `<output>${JSON.stringify({ evaluations: candidates.map(({ id }) => ({ id, score: 3.5 })) })}</output>`;
      },
    });
    const flags = ['--kind', 'thoughts', '--strategy', 'depth-first', '--max-depth', '2', '--dir', search.folder];
    const { stdout } = await endsWith(0, search.command('start', 'Make it bloom', ...flags, '--tries', '1'));
    assert.match(
      stdout,
      /2 thoughts were pruned; the best of what judges pruned scored 3\.5, and the threshold is 5\./,
    );
    assert.match(
      stdout,
      /^ {2}\S.* reconsider \S+ --threshold 3 --resume\n {2}\S.* reconsider \S+ --candidates 10 --resume$/m,
    );
    const on = await endsWith(0, search.command('reconsider', search.folder, '--threshold', '3', '--resume'));
    assert.match(on.stdout, /^This applies from now on\. 2 pruned thoughts will be judged again\.$/m);
    assert.match(on.stdout, /^Answer: Wait for spring\.$/m);
  });

  it('grows the same tree by a strategy that draws, with one slot, whenever its process is killed', async () => {
    const flags = [
      '--kind',
      'thoughts',
      '--strategy',
      'adaptive',
      '--seed',
      '5',
      '--concurrency',
      '1',
      '--size',
      'small',
    ];
    const usual = ['--max-depth', '4', '--candidates', '2', '--threshold', '1', '--tries', '4'];
    const trees: Record<string, string>[] = [];
    for (const every of [Number.POSITIVE_INFINITY, 5]) {
      let requests = 0;
      let kills = 0;
      const running: { process?: CliProcess } = {};
      const search = await TestSearch.make({
        answer: ({ purpose, prompt }) => {
          if (++requests % every === 0 && kills++ < 6) running.process?.kill('SIGKILL');
          return purpose === 'synthesize' ? 'It may bloom.' : bloomAnswer(prompt);
        },
      });
      running.process = search.command('start', 'Make it bloom', ...flags, ...usual, '--dir', search.folder);
      while ((await running.process.end).signal === 'SIGKILL')
        running.process = search.command('resume', search.folder, '--concurrency', '1');
      assert.equal((await running.process.end).code, 0, (await running.process.end).stderr);
      assert.ok(every > 5 || kills >= 4, `${kills} kills`);
      trees.push(await search.tree());
    }
    const [whole, killed] = trees;
    assert.ok(Object.keys(whole ?? {}).length > 20);
    assert.deepEqual(killed, whole);
  });

  it('says what is wrong before anything is made', async () => {
    const search = await TestSearch.make();
    const none = ['--model', 'workspace/quotes'];
    for (const [args, words] of [
      [['4 9 10', '--task', 'game24'], /four whole numbers/],
      [['x', '--task', 'nope'], /no task "nope"/],
      [['x', ...none], /neither propose thoughts nor judge/],
    ] as const) {
      const end = await endsWith(2, search.command('start', ...args, '--kind', 'thoughts', '--dir', search.folder));
      assert.match(end.stderr, words);
      await assert.rejects(readFile(join(search.folder, 'search.json')));
    }
  });
});

/** Two thoughts at a time, with scores that follow from their texts; none is a solution. */
function bloomAnswer(prompt: string): string {
  const { type, path, earlier, count, candidates } = readThoughtRequest(prompt);
  if (type === 'decompose') return '<output>{"success_criteria": ["It blooms"], "solutions": "exact"}</output>';
  const above = path.at(-1) ?? 'step';
  if (type === 'generate') {
    const thoughts = Array.from({ length: count }, (_, i) => `${above}.${earlier.length + i + 1}`);
    return `<output>${JSON.stringify(thoughts)}</output>`;
  }
  const scoreOf = (text: string): number => 3 + ([...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 6);
  return `<output>${JSON.stringify({ evaluations: candidates.map(({ id, content }) => ({ id, score: scoreOf(content) })) })}</output>`;
}

describe('a search of whole drafts from the command line', () => {
  afterEach(removeSearches);

  /** Writers say which draft it is, a reader of B is content, and whoever compares takes B written again. */
  const answer = ({ purpose, prompt }: { purpose: string; prompt: string }): string => {
    if (purpose === 'compare-solutions')
      return `<output>${JSON.stringify({ better: prompt.indexOf('B, again') < prompt.indexOf('id="B"') ? 'A' : 'B', why: 'It says who.' })}</output>`;
    if (purpose === 'read-draft') {
      const score = prompt.includes('B, again') ? 8.2 : prompt.includes('Plan B') ? 7.5 : 6;
      return `<output>${JSON.stringify({ defects: [`Who waters the lawn in July, at ${score}?`], criteria: { 1: 7 }, reasoning: 'Nobody waters.', score, ready: false })}</output>`;
    }
    const draw = /you are number (\d)/.exec(prompt)?.[1] ?? '1';
    if (prompt.includes('Write the answer again'))
      return '<title>\nB again\n</title>\n<answer>\nPlan B, again: the neighbour waters.\n</answer>\n<defects>\n1. mended: the neighbour\n</defects>';
    return `<title>\nPlan ${'ABC'[Number(draw) - 1]}\n</title>\n<answer>\nPlan ${'ABC'[Number(draw) - 1]}: sow in May.\n</answer>`;
  };

  it('begins where nobody names a strategy, and hands the best draft over as it stands', async () => {
    const search = await TestSearch.make({ answer });
    const flags = ['--kind', 'thoughts', '--preset', 'planning', '--size', 'small', '--repairs', '0'];
    const { stdout } = await endsWith(0, search.command('start', 'Make it bloom', ...flags, '--dir', search.folder));
    assert.match(stdout, /Plan B, again: the neighbour waters\./);
    const file = await search.readJson<{ strategy: string }>('search.json');
    assert.equal(file.strategy, 'drafts');
    const report = await readFile(join(search.folder, 'report.md'), 'utf8');
    assert.match(report, /^# Make it bloom\n\nPlan B, again: the neighbour waters\.\n/);
    assert.match(report, /\*\*Found and mended\*\*\n\n- Who waters the lawn in July, at 7\.5\? → the neighbour/);
    const purposes = search.server.log.map(({ purpose }) => purpose);
    assert.equal(purposes.filter((each) => each === 'write-draft').length, 5);
    assert.deepEqual([...new Set(purposes)], ['write-draft', 'read-draft', 'compare-solutions']);
  });

  it('goes on with the same drafts after a pause, and asks for none of them again', async () => {
    const search = await TestSearch.make({ answer });
    const flags = ['--kind', 'thoughts', '--size', 'small', '--dir', search.folder];
    await endsWith(3, search.command('start', 'Make it bloom', ...flags, '--max-calls', '5'));
    await endsWith(0, search.command('resume', search.folder, '--max-calls', '100'));
    const first = search.server.log.filter(
      ({ purpose, prompt }) => purpose === 'write-draft' && !prompt.includes('again, whole'),
    );
    assert.equal(first.length, 3);
    assert.match(await readFile(join(search.folder, 'report.md'), 'utf8'), /Plan B, again/);
  });
});
