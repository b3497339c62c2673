import { createRequire } from 'node:module';

// Asks the built `workspace/quotes` one question about a folder: the first level and its documents. Without types, as Node
// takes part of a tenth of a second to strip them, and what is measured begins with the process.
const [folder = '', question = ''] = process.argv.slice(2);
const { openQuotesModel } = createRequire(import.meta.url)('../../dist/quotes.cjs');
let memory = 0;
const watch = setInterval(() => {
  memory = Math.max(memory, process.memoryUsage.rss());
}, 10);

const model = openQuotesModel({ workspace: folder });
const { signal } = new AbortController();
const ask = async (rule) => {
  const request = { purpose: 'children', node: '', system: '', turns: [], prompt: '', maxOutputTokens: 1000 };
  const call = { question: '1', call: '1', signal };
  return (await model.generate({ ...request, data: { question, rule } }, call)).text;
};

const list = await ask({ by: 'passages', lineage: [], most: 10 });
const topics = JSON.parse(/<output>\n(.*?)\n<\/output>/s.exec(list)?.[1] ?? '[]');
const siblings = topics.map(({ title }) => title);
let first = performance.now();
for (const [index, title] of siblings.entries()) {
  const lineage = [{ title, siblings, index }];
  await ask({ by: 'quotations', lineage, folder: `thought-trees/a/${index}` });
  if (index === 0) first = performance.now();
  await ask({ by: 'passages', lineage, most: 5 });
}
const whole = performance.now();
memory = Math.max(memory, process.memoryUsage.rss());
clearInterval(watch);
const { user, system } = process.cpuUsage();
// What is kept is written in the background.
await new Promise((resolve) => setTimeout(resolve, 300));
await model.close?.();
console.log(JSON.stringify({ first, whole, topics: topics.length, processor: (user + system) / 1000, memory }));
