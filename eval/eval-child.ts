// The questions of one code base, in a process of their own: node eval-child.ts NAME FOLDER SET prints JSON.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
// biome-ignore lint/correctness/useImportExtensions: it takes the declarations for the module
import { better, chunksOf, first, NOT_CODE, read, rg } from './baseline.mjs';
import { markAnswer, markTopics } from './counting.ts';
import type { Asked } from './figures.ts';
import { asker } from './ours.ts';
import { decidingLines, type QuestionSet, questionsAbout } from './questions.ts';

const [name = '', folder = '', asking = ''] = process.argv.slice(2);
const code = read(folder).filter(({ path }) => !NOT_CODE.test(path));
const byWords = rg(code);
const byChunks = better(chunksOf(code));
const ask = asker(folder);
const asked: Asked[] = [];
for (const question of await questionsAbout(name, asking as QuestionSet)) {
  for (const path of [...question.files, ...decidingLines(question).map((lines) => lines.path)])
    if (!existsSync(join(folder, path))) throw new Error(`${question.id} names a file that is not there: ${path}`);
  const before = process.cpuUsage();
  const ours = markTopics(await ask(question.question, 3), question);
  const { user, system } = process.cpuUsage(before);
  const milliseconds = Math.round((user + system) / 1000);
  const chunks = byChunks(question.question);
  const { id, named } = question;
  asked.push({
    id,
    named,
    milliseconds,
    ours,
    rg: markAnswer(first(byWords(question.question)), [], question),
    better: markAnswer(first(chunks), chunks.slice(0, 3), question),
  });
}
process.stdout.write(JSON.stringify(asked));
