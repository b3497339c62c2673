// A research search with a model, a picker, prompts and front matter of one's own.
import { type OwnModel, type Picker, readDocument, search } from 'thought-tree';

/** It stands for any model: it answers from a script, at a price. */
const model: OwnModel = {
  name: 'example/scripted',
  price: { prompt: 1, cached: 0.1, completion: 2 },
  async generate({ purpose, node, prompt }) {
    const text = answerTo(purpose, node, prompt);
    return { text, usage: { prompt: prompt.length, cached: 0, completion: text.length } };
  },
};

function answerTo(purpose: string, node: string, prompt: string): string {
  if (purpose === 'document')
    return `---\ntitle: About ${node}\nrisk: low\n---\n\n${prompt.startsWith('Briefly') ? 'Briefly: it' : 'It'} waits for the queue.\n`;
  if (purpose === 'children') return `<output>${JSON.stringify(topicsBelow(node))}</output>`;
  return 'Requests wait for the queue.';
}

function topicsBelow(node: string): string[] {
  if (node === '') return ['The queue', 'The lock', 'The pool', 'The cache', 'The disk', 'The wire'];
  return node.includes('/') ? [] : [1, 2, 3, 4, 5].map((n) => `Part ${n} of ${node}`);
}

let picks = 0;

/** The last topic first. */
const pick: Picker = (candidates) => {
  picks++;
  return candidates.map(({ path }) => path).reverse();
};

const { folder, state, results } = await search({
  question: 'Why do requests wait?',
  model,
  pick,
  prompts: { document: 'Briefly: what about {{title}}?' },
  frontMatter: { type: 'object', properties: { risk: { type: 'string', enum: ['low', 'high'] } }, required: ['risk'] },
  limits: { size: 'small', usd: 1 },
  options: { rootSession: 'none', subtopics: 'separately' },
  read: 'nothing',
});
const { data } = readDocument('---\ntitle: One\n---\n\nText.\n');
console.log(JSON.stringify({ folder, state, calls: results.calls, usd: results.usd, title: data['title'], picks }));
