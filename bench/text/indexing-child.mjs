import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// Asks the built `workspace/quotes` one question about a folder: the first level and its documents. Without types, as Node
// takes part of a tenth of a second to strip them, and what is measured begins with the process. What its processes took is
// part of it, where the system tells of them: Linux.
const [PAGE, TICK_MS] = [4096, 10];
const [folder = '', question = ''] = process.argv.slice(2);
const { openQuotesModel } = createRequire(import.meta.url)('../../dist/quotes.cjs');
let memory = 0;
const processors = new Map();
const look = () => {
  const others = startedProcesses();
  for (const { pid, processor } of others) processors.set(pid, processor);
  memory = Math.max(
    memory,
    others.reduce((sum, other) => sum + other.memory, process.memoryUsage.rss()),
  );
};
const watch = setInterval(look, 10);

function startedProcesses() {
  try {
    const threads = readdirSync('/proc/self/task');
    const pids = threads.flatMap(
      (thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').match(/\d+/g) ?? [],
    );
    return pids.map((pid) => {
      const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1];
      const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .slice(11, 13);
      return { pid, memory: Number(pages) * PAGE, processor: (Number(user) + Number(system)) * TICK_MS };
    });
  } catch {
    return []; // another system, or one has just ended
  }
}

function processorTime() {
  const { user, system } = process.cpuUsage();
  return [...processors.values()].reduce((sum, one) => sum + one, (user + system) / 1000);
}

const model = openQuotesModel({ workspace: folder });
const { signal } = new AbortController();
const ask = async (rule) => {
  const request = { purpose: 'children', node: '', system: '', turns: [], prompt: '', maxOutputTokens: 1000 };
  const call = { question: '1', call: '1', signal };
  return (await model.generate({ ...request, data: { question, rule } }, call)).text;
};

const list = await ask({ by: 'passages', lineage: [], most: 10 });
look();
const place = processorTime();
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
look();
clearInterval(watch);
const processor = processorTime();
// What is kept is written in the background.
await new Promise((resolve) => setTimeout(resolve, 300));
await model.close?.();
console.log(JSON.stringify({ first, whole, topics: topics.length, place, processor, memory }));
