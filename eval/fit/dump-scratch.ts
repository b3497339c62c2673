import { writeFileSync } from 'node:fs';
import { FEATURES, ROLE_FEATURES } from '../../src/text/rank/passage-features.ts';
import { codeBases, fetched } from '../code-bases.ts';
import { decidingLines, questionsAbout } from '../questions.ts';
import { examplesOf, examplesOfMadeUp } from './examples.ts';
import { madeUp } from './made-up.ts';

const out: any[] = [];
const floats: number[] = [];
const chunks: Buffer[] = [];
const what = process.argv[2];
const put = (examples: any[], kind: string) => {
  for (const e of examples) {
    out.push({
      kind,
      base: e.base,
      files: e.files,
      n: e.candidates.length,
      paths: e.candidates.map((c: any) => c.path),
      worth: e.candidates.map((c: any) => c.worth),
    });
    for (const c of e.candidates) chunks.push(Buffer.from(Float32Array.from(c.features).buffer));
  }
};
for (const one of await codeBases()) {
  if (one.half !== 'tuning') continue;
  put(await examplesOf(one.name, await fetched(one), await questionsAbout(one.name, 'tuning')), 'asked');
}
if (what === 'all') for (const one of await madeUp('fitted')) put(await examplesOfMadeUp(one), 'made');
const into = process.argv[3];
writeFileSync(into + '.json', JSON.stringify({ features: FEATURES, roles: [...ROLE_FEATURES], examples: out }));
writeFileSync(into + '.bin', Buffer.concat(chunks));
