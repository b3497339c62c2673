import { codeBases, fetched } from './code-bases.ts';
import { questionsAbout } from './questions.ts';
import { answersTo } from '../src/models/quotes/answer-request.ts';
import { below, folderOf, quotesIn } from '../test/support/quotes/quotes-workspace.ts';
for (const one of await codeBases()) {
  if (one.half !== 'tuning') continue;
  const answer = answersTo({ workspace: await fetched(one) }) as any;
  for (const q of await questionsAbout(one.name, 'tuning') as any[]) {
    const list = await answer({ data: { question: q.question, rule: { by: 'passages', lineage: [], most: 3 } } });
    const titles = JSON.parse(/<output>\n(.*)\n<\/output>/s.exec(list.text)?.[1] ?? '[]');
    const tops = below([], titles).slice(0, 3); const files: any[] = [];
    for (const l of tops) { const d = await answer({ data: { question: q.question, rule: { by: 'quotations', folder: folderOf(l), lineage: l } } }); files.push(quotesIn(d.text, folderOf(l))[0] as any); }
    const at = files.findIndex((f: any) => f && q.files.includes(f.path));
    if (at === 0) continue;
    console.log(`\n${one.name} ${at < 0 ? 'MISSED' : at + 1} ${q.question}\n   right: ${q.files.join(' ')} ${JSON.stringify(q.lines)}`);
    files.forEach((f: any, i: number) => console.log(`   ${i + 1} ${f?.path}:${f?.start} ${titles[i].title.slice(0, 110)}`));
  }
}
process.exit();
