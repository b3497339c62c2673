import assert from 'node:assert/strict';
import type { Topic } from '../../../../src/core/ports/prompt-data.ts';
import { childrenPrompt } from '../../../../src/kinds/research/prompts/children-prompt.ts';
import { documentPrompt } from '../../../../src/kinds/research/prompts/document-prompt.ts';
import { pickPrompt } from '../../../../src/kinds/research/prompts/pick-prompt.ts';
import type { PickData } from '../../../../src/kinds/research/prompts/prompt-data.ts';
import { synthesisPrompt } from '../../../../src/kinds/research/prompts/synthesis-prompt.ts';
import { systemText } from '../../../../src/kinds/research/prompts/system-text.ts';
import { describeGolden } from '../golden-prompts.ts';

const question = 'Why is the build slow?\n\nIt was fast in spring.';
const common = { question, folder: 'thought-trees/why-is-the-build-slow' };
const first: Topic = { title: 'Bundling', siblings: ['Bundling', 'Type checks', 'Tests'], index: 0 };
const second: Topic = { title: 'Source maps', siblings: ['Source maps', 'Minifying'], index: 0 };
const candidates = [
  { path: 'bundling/source-maps', title: 'Source maps', score: 7.5 },
  { path: 'type-checks/incremental', title: 'Incremental' },
];
const outline = '- Bundling [expanded] 8 — It takes a minute.\n  - Source maps [unexpanded] 7.5';
const pick: PickData = { purpose: 'pick', question, outline, candidates, limit: 64 };

const prompts: Record<string, string> = {
  system: systemText(question),
  'system-chinese': systemText('为什么构建很慢？'),
  'children-root': childrenPrompt({ ...common, purpose: 'children', lineage: [], maxChildren: 50 }),
  'children-topic': childrenPrompt({ ...common, purpose: 'children', lineage: [first], maxChildren: 50 }),
  'document-first-level': documentPrompt({ ...common, purpose: 'document', lineage: [first] }),
  'document-below': documentPrompt({ ...common, purpose: 'document', lineage: [first, second] }),
  'pick-ranked': pickPrompt(pick),
  'pick-one': pickPrompt({ ...pick, limit: 1 }),
  synthesis: synthesisPrompt({
    purpose: 'synthesize',
    question,
    outline: '- [Bundling](bundling/document.md) 8: It takes a minute.',
    documents: [{ link: 'bundling/document.md', text: 'Bundling takes a minute.' }],
    notes: 'Think of Windows.',
  }),
};

describe('the prompts', () => {
  describeGolden('prompts', prompts);

  it('of siblings begin alike, so that a cache serves what they share', () => {
    const last: Topic = { ...first, title: 'Tests', index: 2 };
    const [one, other] = [first, last].map((topic) =>
      documentPrompt({ ...common, purpose: 'document', lineage: [topic] }),
    );
    const list = first.siblings.map((title) => `- ${title}`).join('\n');
    const shared = one?.slice(0, one.indexOf(list) + list.length);
    assert.ok(shared?.endsWith(list) && other?.startsWith(shared));
  });

  it('have each candidate once, alone in its line', () => {
    const lines = pickPrompt(pick).split('\n');
    for (const { path } of candidates) assert.equal(lines.filter((line) => line === `- ${path}`).length, 1);
  });

  it('name no model, folder or time, so that they are the same everywhere', () => {
    for (const text of Object.values(prompts)) assert.doesNotMatch(text, /thought-trees|20\d\d-|undefined|\[object/);
  });
});
