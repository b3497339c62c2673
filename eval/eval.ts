// How well the researcher that needs no model finds what a colleague would: npm run eval
//   --only NAME   one code base, may be repeated
//   --failures    lists each question that was missed
//   --held-out    the held-out half instead, whose questions are never shown; each use is noted in held-out-uses.md
//   --shown       questions about the code bases of that half, written for what is shown first; never shown, and noted there too
//   --recited     only how much of well-known libraries the table of concerns recites, which is looked at without --only too
//   --answers     scores recorded searches instead, without a model; --mutant NAME breaks what one of their figures is there for
import { execFile } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import pLimit from 'p-limit';
import { z } from 'zod';
import { linesOf, type Row, RULE, rowOf, tableOf as tableOfAnswers } from './answers/figures.ts';
import { readJudged, readQuestions, readRun } from './answers/material.ts';
import { archives, type CodeBase, codeBases, fetched, type Half } from './code-bases.ts';
import { type Asked, type Figures, figuresOf, inPercent, tableOf } from './figures.ts';
import { type QuestionSet, questionsAbout } from './questions.ts';
import { MOST_RECITED, recited } from './recited.ts';

const run = promisify(execFile);

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    failures: { type: 'boolean', default: false },
    'held-out': { type: 'boolean', default: false },
    shown: { type: 'boolean', default: false },
    recited: { type: 'boolean', default: false },
    answers: { type: 'boolean', default: false },
    mutant: { type: 'string' },
  },
});
const half: Half = options['held-out'] || options.shown ? 'held-out' : 'tuning';
const asking: QuestionSet = options.shown ? 'shown' : half;

/** Returns the marks of the questions about one code base; none where they are not written yet. */
async function askAbout(codeBase: CodeBase): Promise<Asked[]> {
  const { name } = codeBase;
  if ((await questionsAbout(name, asking)).length === 0) return [];
  const folder = await fetched(codeBase);
  const child = join(import.meta.dirname, 'eval-child.ts');
  const { stdout } = await run(process.execPath, [child, name, folder, asking], { maxBuffer: 1e8 });
  return JSON.parse(stdout) as Asked[];
}

/** What was asked, what was expected, and what came first instead. */
async function listFailures(name: string, asked: readonly Asked[]): Promise<void> {
  const questions = await questionsAbout(name, asking);
  for (const { id, ours, better } of asked) {
    const question = questions.find((one) => one.id === id);
    if (!question || (ours.rank === 1 && ours.hasLine)) continue;
    const missed = ours.rank === 0 ? 'file missed' : ours.hasLine ? `file in place ${ours.rank}` : 'line missed';
    const note = ours.rank > 1 && !ours.hasLine ? `, file in place ${ours.rank}` : '';
    console.log(`\n${id}: ${missed}${note}: ${question.question}`);
    console.log(`  expected  ${question.files.join(', ')}; ${question.lines.join(', ')}`);
    console.log(`  first     ${ours.files.join(', ')} (${ours.quoted} lines)`);
    console.log(`  better    ${better.files.join(', ')} (${better.hasLine ? 'with' : 'without'} the line)`);
  }
}

async function noteUse(all: Figures, rows: readonly Figures[]): Promise<void> {
  const git = async (...words: string[]): Promise<string> => (await run('git', words)).stdout.trim();
  const commit = await git('rev-parse', '--short=12', 'HEAD');
  const changed = (await git('status', '--porcelain', '--', 'src', 'eval')) === '' ? '' : ', with changes';
  const when = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const which = asking === 'shown' ? ', the questions on what is shown first' : '';
  const note = `\n## ${when} UTC, commit ${commit}${changed}${which}\n\n${inPercent(all)}\n\n\`\`\`\n${tableOf(rows)}\n\`\`\`\n`;
  await appendFile(join(import.meta.dirname, 'held-out-uses.md'), note);
}

/** Scores the recorded searches; it fails where a figure misses its bound, or a mutant is not found. */
async function scoreAnswers(): Promise<void> {
  const { again, breakWith, mutantNamed } = await import('./answers/again.ts');
  const mutant = options.mutant === undefined ? undefined : mutantNamed(options.mutant);
  if (mutant) breakWith(mutant);
  const bases = await codeBases();
  const folder = join(import.meta.dirname, 'answers');
  const rows: Row[] = [];
  for (const question of await readQuestions(join(folder, 'questions'))) {
    if (options.only.length > 0 && !options.only.includes(question.name)) continue;
    const run = await readRun(join(folder, 'runs', question.name));
    const base = bases.find(({ name }) => name === question.package);
    if (!base) throw new Error(`code-bases.json has no ${question.package}`);
    if (!run) console.log(`${question.name}: not recorded yet`);
    else {
      const [codeBase, judged] = [await fetched(base), await readJudged(join(folder, 'judged'), question)];
      const today = await again(question, run, codeBase);
      rows.push(rowOf(question, run, { judged, language: base.language, today, codeBase }));
    }
  }
  if (rows.length === 0) throw new Error('nothing is recorded yet');
  const lines = linesOf(rows);
  console.log(`\n${RULE}\n\n${tableOfAnswers(rows)}\n`);
  for (const { what, figure, bound, holds } of lines)
    console.log(`${holds === undefined ? 'open  ' : holds ? 'ok    ' : 'missed'}  ${what}: ${figure} (${bound})`);
  const harmed = lines.find(({ what }) => what === mutant?.figure);
  if (harmed) console.log(`\nthe mutant ${options.mutant} is ${harmed.holds ? 'not ' : ''}found`);
  process.exitCode = Number(harmed ? harmed.holds !== false : lines.some(({ holds }) => holds === false));
}

async function findPlaces(): Promise<void> {
  const chosen = (await codeBases()).filter(
    (one) => one.half === half && (options.only.length === 0 || options.only.includes(one.name)),
  );
  const two = pLimit(2);
  const answered = await Promise.all(
    chosen.map((one) => two(async () => ({ name: one.name, asked: await askAbout(one) }))),
  );
  const asked = answered.filter((one) => one.asked.length > 0);
  if (asked.length === 0) throw new Error(`no questions of ${asking}`);
  const rows = asked.map((one) => figuresOf(one.name, one.asked));
  const together = asked.flatMap((one) => one.asked);
  const all = figuresOf('all', together);
  const parts = [
    figuresOf(
      'with a name',
      together.filter(({ named }) => named),
    ),
    figuresOf(
      'without',
      together.filter(({ named }) => !named),
    ),
  ];
  if (options.failures && half === 'tuning') for (const one of asked) await listFailures(one.name, one.asked);
  if (half === 'held-out') await noteUse(all, [...rows, all]);
  console.log(`\n${tableOf([...rows, all, ...parts])}\n\n${asking}: ${inPercent(all)}\n`);
  console.log(JSON.stringify({ asking, codeBases: rows, all, withName: parts[0], withoutName: parts[1] }));
}

/** Lists the libraries of which the table of concerns recites most; it fails where that is too much of one. */
async function listRecited(): Promise<void> {
  const fit = await archives(join(import.meta.dirname, 'fit', 'packages.json'), { half: z.string() });
  const libraries = new Map([...fit, ...(await codeBases())].map((one) => [one.name, one]));
  const table = await readFile(join(import.meta.dirname, '..', 'data', 'concerns.txt'), 'utf8');
  const shares = (await recited(table, [...libraries.values()])).map(({ name, own, found }) => ({
    name,
    share: found.length / Math.max(own, 1),
    found,
  }));
  console.log(`\nnames of three words that only one of ${shares.length} libraries has, and the table of concerns too:`);
  for (const { name, share, found } of shares.sort((a, b) => b.share - a.share).slice(0, 10))
    console.log(`${(share * 100).toFixed(1).padStart(5)} %  ${name}: ${found.slice(0, 5).join(', ')}`);
  if (shares.some(({ share }) => share >= MOST_RECITED)) process.exitCode = 1;
}

if (options.answers) await scoreAnswers();
else if (options.recited) await listRecited();
else {
  await findPlaces();
  if (options.only.length === 0) await listRecited();
}
