import { QUESTION } from '../trees/simulated-tree.ts';
import { NODES_REAL, type RealRun } from './real.ts';

// The same calls by a program that does nothing else: no files, no budget, no picker. Nodes are worked on in the order in
// which they are found.

interface Asked {
  readonly path: string;
  readonly turns: readonly string[];
}

const [, , baseUrl = '', slots = ''] = process.argv;

async function ask(purpose: string, path: string, turns: readonly string[], prompt: string): Promise<string> {
  const said = [...turns, prompt].map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-thought-tree-call': purpose,
      'x-thought-tree-node': path.split('/').map(encodeURIComponent).join('/'),
    },
    body: JSON.stringify({ model: 'fast', messages: [{ role: 'system', content: QUESTION }, ...said] }),
  });
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content ?? '';
}

const waiting: Asked[] = [];
let finished = 0;

async function list({ path, turns }: Asked): Promise<void> {
  const prompt = `Which topics are part of ${path || 'the question'}?`;
  const answer = await ask('children', path, turns, prompt);
  const titles = JSON.parse(/<output>(.*)<\/output>/s.exec(answer)?.[1] ?? '[]') as { title: string }[];
  for (const { title } of titles) {
    const slug = title.toLowerCase().replaceAll(' ', '-');
    waiting.push({ path: path ? `${path}/${slug}` : slug, turns: [...turns, prompt, answer] });
  }
}

async function work(node: Asked): Promise<void> {
  const prompt = `Write the document on ${node.path}.`;
  const document = await ask('document', node.path, node.turns, prompt);
  await list({ path: node.path, turns: [...node.turns, prompt, document] });
  finished++;
}

const before = process.cpuUsage();
const begun = performance.now();
await list({ path: '', turns: [] });
await new Promise<void>((resolve, reject) => {
  let busy = 0;
  const next = (): void => {
    if (busy === 0 && waiting.length === 0) resolve();
    for (let node = waiting[0]; node && busy < Number(slots); node = waiting[0]) {
      waiting.shift();
      busy++;
      void work(node).then(() => {
        busy--;
        next();
      }, reject);
    }
  };
  next();
});
const ms = performance.now() - begun;
const { user, system } = process.cpuUsage(before);
if (finished !== NODES_REAL) throw new Error(`only ${finished} nodes`);
console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1000 } satisfies RealRun));
