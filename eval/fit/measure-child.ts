// The made-up questions about one package, in a process of their own: node measure-child.ts NAME MOST prints JSON.
// biome-ignore lint/correctness/useImportExtensions: it takes the declarations for the module
import { better, chunksOf, NOT_CODE, read, rg } from '../baseline.mjs';
import { asker } from '../ours.ts';
import { madeUp } from './made-up.ts';
import type { Ranks } from './measure.ts';

/** Files beyond these count for nothing. */
const FILES = 10;

const [name = '', most = ''] = process.argv.slice(2);
const [one] = await madeUp('held-out', [name]);
if (!one) throw new Error(`no package ${name} in the held-out half`);
const code = read(one.folder).filter(({ path }) => !NOT_CODE.test(path));
const byWords = rg(code);
const byChunks = better(chunksOf(code));
const ask = asker(one.folder);
const ranks: Ranks[] = [];
for (const { question, masked, files } of one.triples.slice(0, Number(most))) {
  const rank = (paths: readonly string[]): number =>
    [...new Set(paths)].slice(0, FILES).findIndex((path) => files.includes(path)) + 1;
  const { topics } = await ask(question, FILES);
  ranks.push({
    masked,
    ours: rank(topics.flatMap(([quote]) => quote?.path ?? [])),
    rg: rank(byWords(question).map(({ path }) => path)),
    better: rank(byChunks(question).map(({ path }) => path)),
  });
}
process.stdout.write(JSON.stringify(ranks));
