// Fits src/text/rank/weights.ts: node eval/fit/learn.ts
// First the weights of words are fitted on the made-up questions of the packages that are for fitting (`made-up.ts`); then
// all weights on the tuning half of the questions that people would ask, kept near the former. The figures that it prints
// leave one code base out of the second fitting at a time. Some minutes; the result depends on the data alone.
import { codeBases, fetched } from '../code-bases.ts';
import { questionsAbout } from '../questions.ts';
import { type Example, examplesOf, examplesOfMadeUp } from './examples.ts';
import { learn } from './learnt.ts';
import { madeUp } from './made-up.ts';
import { writeWeights } from './write-weights.ts';

const made: Example[] = [];
for (const one of await madeUp('fitted')) {
  made.push(...(await examplesOfMadeUp(one)));
  console.log(`${one.name}: ${made.length} made-up questions so far`);
}
const asked: Example[] = [];
for (const one of await codeBases()) {
  if (one.half !== 'tuning') continue;
  asked.push(...(await examplesOf(one.name, await fetched(one), await questionsAbout(one.name, 'tuning'))));
}
const learnt = learn(made, asked);
for (const [base, { first, ofThree }] of learnt.leftOut)
  console.log(`${base}: first ${first} %, of three ${ofThree} %`);
console.log(
  `${asked.length} questions, left out: first ${learnt.allLeftOut.first} %, of three ${learnt.allLeftOut.ofThree} %`,
);
writeWeights(learnt);
