import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { linkedFalsely, MUTANTS } from '../../../eval/answers/again.ts';
import { linesOf, type Row, rowOf, spentOn, tableOf, wordsIn } from '../../../eval/answers/figures.ts';
import { type Judged, type Question, readJudged, readQuestions, readRun } from '../../../eval/answers/material.ts';
import type { Model, ModelAnswer, ModelRequest } from '../../../src/core/ports/model.ts';
import { Recorder } from '../../../src/models/replay/recorder.ts';
import { ONE_CALL } from '../../support/models/one-call.ts';
import { makeWorkspace } from '../../support/quotes/quotes-workspace.ts';

const QUESTION: Question = {
  name: 'tiny',
  package: 'tiny',
  question: 'When does it wait?',
  facts: [
    { fact: 'It waits for two seconds.', places: [{ file: 'wait.js', from: 1, to: 4 }] },
    {
      fact: 'The other one does not.',
      places: [
        { file: 'wait.js', from: 1, to: 2 },
        { file: 'other.js', from: 1, to: 1 },
      ],
    },
  ],
  wrong: [],
};
const WAIT = 'function waits() {\n  return sleep(2000);\n}\nmodule.exports = { waits };\n';
const USE = { id: '1', name: 'read', input: { path: 'wait.js' } };
const READ = { id: '1', name: 'read', text: 'wait.js, lines 1 to 2\n1\tfunction waits() {\n2\t  return sleep(2000);' };
const TODAY = { asked: 4, same: 3, citations: { written: 10, held: 9, mended: 2, marked: 1 } };
const FOUND = { findings: 4, shown: 4, files: 2, named: 2 };

type Asked = Pick<ModelRequest, 'purpose' | 'node' | 'turns' | 'prompt'> & Partial<ModelRequest>;

/** Records a survey, a document whose model read a file first, and a report. */
async function record(folder: string): Promise<void> {
  const file = join(folder, 'tree.jsonl');
  const recorder = await Recorder.open(file);
  const say = async (asked: Asked, answer: ModelAnswer): Promise<void> => {
    const model: Model = { name: 'a/b', label: 'b', free: false, tools: true, generate: async () => answer };
    const request = { system: 'Be brief.', data: { question: '' }, maxOutputTokens: 1, ...asked } as ModelRequest;
    await recorder.wrap(model).generate(request, { ...ONE_CALL, signal: new AbortController().signal });
  };
  const ask = { role: 'user', text: 'Write.' } as const;
  await say({ purpose: 'children', node: '', turns: [], prompt: 'Divide.' }, { text: 'At first', finish: 'stop' });
  const first = { purpose: 'document', node: 'a', turns: [], prompt: 'Write.' } as const;
  await say(first, { text: '', finish: 'tools', toolCalls: [USE] });
  const turns = [ask, { role: 'assistant', text: '', toolCalls: [USE] } as const];
  await say({ ...first, turns, prompt: '', toolResults: [READ] }, { text: 'It waits', finish: 'stop' });
  await say({ purpose: 'synthesize', node: '', turns: [], prompt: 'Report.' }, { text: 'So it is', finish: 'stop' });
  await writeFile(`${file}.br`, brotliCompressSync(await readFile(file)));
  await rm(file);
}

function judged(report: readonly (0 | 0.5 | 1)[], session: readonly (0 | 0.5 | 1)[]): Judged {
  const of = (facts: readonly (0 | 0.5 | 1)[]) => ({ facts: [...facts], wrong: [] });
  const wrong = [{ claim: 'It never waits.', because: 'It does.' }];
  const texts = {
    report: of(report),
    documents: { ...of([1, 1]), wrong },
    session: of(session),
    interim: of([0.5, 0]),
  };
  return { ...texts, sample: [{ claim: 'It waits.', supported: true }], claims: { about: 4, cited: 3 } };
}

async function row(): Promise<Row> {
  const workspace = makeWorkspace({ 'wait.js': WAIT, 'other.js': 'exports.waits = false;\n' });
  const folder = makeWorkspace({
    'questions/tiny.json': JSON.stringify(QUESTION),
    'judged/tiny.json': JSON.stringify(judged([1, 0.5], [0.5, 0])),
    'runs/tiny/report.md': '# It waits [here](../wait.js#L1)\n',
    'runs/tiny/interim.md': 'At first',
    'runs/tiny/forecast.json': '{"low": 0.0001, "high": 0.0002}',
    'runs/tiny/session.jsonl': `${JSON.stringify({ request: { messages: [{ role: 'user', content: 'When?' }] }, answer: 'Now' })}\n`,
  });
  await record(join(folder, 'runs/tiny'));
  const [question] = await readQuestions(join(folder, 'questions'));
  const run = await readRun(join(folder, 'runs/tiny'));
  assert.ok(question && run);
  const said = await readJudged(join(folder, 'judged'), question);
  const today = { ...TODAY, ...FOUND };
  return rowOf(question, run, { judged: said, language: 'Go', today, codeBase: workspace });
}

describe('the score of recorded answers', () => {
  it('prices what requests have in common with any earlier one, and what they have not', () => {
    const calls = [
      { prompt: 'aaaa', answer: 'bb' },
      { prompt: 'cc', answer: '' },
      { prompt: 'aaaacccc', answer: 'é' },
    ];
    const { sums, usd, ...spent } = spentOn(calls);
    assert.deepEqual([spent.bytes, spent.cached], [14, 4]);
    assert.equal((spent.promptUsd * 1e6).toFixed(3), ((10 * 3 + 4 * 0.3) / 4).toFixed(3));
    assert.equal(((usd - spent.promptUsd) * 1e6).toFixed(3), '15.000');
    assert.equal(sums.at(-1), usd);
  });

  it('counts what was written, what was seen, and when the first answer was there', async () => {
    const tiny = await row();
    const { tree, session } = tiny;
    assert.deepEqual([tiny.words, tiny.documents, tiny.wide, tree.sums.length], [3, 1, 1, 4]);
    // Two lines of four of the first fact, and of the second one only one of its two files.
    assert.equal(tiny.seen, 1);
    assert.equal(tiny.firstAt, (tree.sums[0] ?? 0) / tree.usd);
    // The second request of the document begins with all of the first.
    const shared =
      Buffer.byteLength('system\nBe brief.\nuser\n') + Buffer.byteLength('system\nBe brief.\nuser\nWrite.');
    assert.ok(tree.cached >= shared);
    assert.equal(session.bytes, Buffer.byteLength('\nuser\nWhen?'));
  });

  it('says which bound is missed', async () => {
    const tiny = await row();
    const held = Object.fromEntries(linesOf([tiny]).map(({ what, holds }) => [what, holds]));
    assert.equal(held['facts in the report'], true);
    assert.equal(held['the same, beside 25 % in the session'], true);
    assert.equal(held['wrong claims in reports'], true);
    assert.equal(held['wrong claims in reports and documents'], false);
    assert.equal(held['facts whose lines stood in a request'], false);
    assert.equal(held['citations that hold after mending'], false);
    assert.equal(held['findings in the request for the report'], true);
    assert.match(tableOf([tiny]), /^\| tiny \| 75 % \| 100 % \| 25 % \| 25 % \| 3 \| 0 \| 1 \| 0 \|/m);
  });

  it('lets no report have three facts fewer than its session', async () => {
    const tiny = await row();
    const many = { ...tiny, judged: { ...judged([0, 0], [1, 1]), session: { facts: [1, 1, 1], wrong: [] } } } as Row;
    const worse = linesOf([many]).find(({ what }) => what.includes('3 facts fewer'));
    assert.deepEqual([worse?.figure, worse?.holds], ['1 tiny', false]);
  });

  it('counts the words of a page without the addresses of its links', () => {
    assert.equal(wordsIn('| One | [two three](a/very%20long#L1) |\n| --- | --- |\n'), 3);
  });

  it('trusts no link: the words of a quotation stand at its lines, and every line is there', async () => {
    const folder = makeWorkspace({ 'wait.js': WAIT, 'doc/a/document.md': '' });
    const linked = (lines: string, code: string): string =>
      `[wait.js:${lines}](../../wait.js#L${lines.replace('-', '-L')})\n\n\`\`\`js\n${code}\n\`\`\`\n\n`;
    const right = [linked('2', 'return sleep(2000);'), linked('1-4', 'function waits() {\n…\nmodule.exports')];
    const wrong = [
      linked('3', 'return sleep(2000);'),
      linked('9', 'return'),
      'It waits ([wait.js:7](../../wait.js#L7)).',
    ];
    assert.equal(await linkedFalsely(right.join(''), join(folder, 'doc/a')), 0);
    assert.equal(await linkedFalsely([...right, ...wrong].join(''), join(folder, 'doc/a')), 3);
  });

  it('reads a rubric only as a whole, and readers who judged every fact', async () => {
    const folder = makeWorkspace({ 'tiny.json': JSON.stringify(judged([1], [1])) });
    await assert.rejects(readJudged(folder, QUESTION), /some were not judged/);
    assert.equal(await readJudged(join(folder, 'none'), QUESTION), undefined);
    await mkdir(join(folder, 'empty'));
    assert.equal(await readRun(join(folder, 'empty')), undefined);
  });

  for (const [name, { file, search, figure }] of Object.entries(MUTANTS))
    it(`has a mutant that leaves out or shifts: ${name}`, async () => {
      assert.equal(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8').split(search).length, 2);
      assert.ok(linesOf([await row()]).some(({ what }) => what === figure));
    });
});
