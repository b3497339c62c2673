import assert from 'node:assert/strict';
import type { Topic } from '../../../../src/core/ports/model.ts';
import {
  childrenPrompt,
  documentPrompt,
  type PickData,
  pickPrompt,
  type SynthesisData,
  synthesisPrompt,
  systemText,
} from '../../../../src/kinds/research/prompts.ts';
import { describeGolden } from '../golden-prompts.ts';

const question = 'Why is the build slow?\n\nIt was fast in spring.';
const common = { question, folder: 'thought-trees/why-is-the-build-slow' };
const first: Topic = { title: 'Bundling', siblings: ['Bundling', 'Type checks', 'Tests'], index: 0 };
const second: Topic = { title: 'Source maps', siblings: ['Source maps', 'Minifying'], index: 0 };
const candidates = [
  { path: 'bundling/source-maps', title: 'Source maps', score: 7.5, isInOutline: true },
  { path: 'type-checks/incremental', title: 'Incremental' },
];
const outline =
  '- Bundling [expanded] 8 — It takes a minute.\n  - [1] Source maps [unexpanded] 7.5 — They may take most of it.';
const pick: PickData = { purpose: 'pick', question, outline, candidates, limit: 64, worked: 2 };

const synthesis: SynthesisData = {
  purpose: 'synthesize',
  question,
  isForked: true,
  provisional: '',
  draftWords: 800,
  surveyed: {
    findings: [{ number: 1, text: 'Nothing is cached.', cites: ['build/config.js:12'] }],
    open: ['Whether tests are slow.'],
  },
  documents: [
    {
      title: 'Bundling',
      link: 'bundling/document.md',
      summary: 'It takes a minute.',
      findings: [{ number: 2, text: 'Source maps take 40 s.', cites: ['build/config.js:3-9'] }],
      open: ['Whether a cache is used.'],
      text: '',
    },
    {
      title: 'Type checks',
      link: 'type-checks/document.md',
      summary: '',
      findings: [],
      open: [],
      text: 'A document that names no findings comes with its text.',
    },
  ],
  further: 0,
  openTopics: ['Tests'],
  notes: 'Think of Windows.',
  reads: true,
};
const prompts: Record<string, string> = {
  system: systemText(question),
  'system-chinese': systemText('为什么构建很慢？'),
  'children-root': childrenPrompt({ ...common, purpose: 'children', lineage: [], maxChildren: 50 }),
  'children-topic': childrenPrompt({ ...common, purpose: 'children', lineage: [first], maxChildren: 50 }),
  'document-first-level': documentPrompt({ ...common, purpose: 'document', lineage: [first] }),
  'document-below': documentPrompt({ ...common, purpose: 'document', lineage: [first, second] }),
  'pick-ranked': pickPrompt(pick),
  'pick-one': pickPrompt({ ...pick, limit: 1 }),
  'children-survey': childrenPrompt({
    ...common,
    purpose: 'children',
    lineage: [],
    maxChildren: 50,
    surveys: true,
    reads: true,
  }),
  'document-forked': documentPrompt({
    ...common,
    purpose: 'document',
    lineage: [first],
    why: 'It may take most of the time.',
    isForked: true,
    subtopics: 50,
  }),
  synthesis: synthesisPrompt({ ...synthesis, isForked: false, provisional: 'Bundling is slow.' }),
  'synthesis-forked': synthesisPrompt(synthesis),
};
describe('the prompts', () => {
  describeGolden('research', 'The prompts of research', prompts);

  it('of siblings begin alike, so that a cache serves what they share', () => {
    const last: Topic = { ...first, title: 'Tests', index: 2 };
    const [one, other] = [first, last].map((topic) =>
      documentPrompt({ ...common, purpose: 'document', lineage: [topic] }),
    );
    const list = first.siblings.map((title) => `- ${title}`).join('\n');
    const shared = one?.slice(0, one.indexOf(list) + list.length);
    assert.ok(shared?.endsWith(list) && other?.startsWith(shared));
  });

  it('have each candidate once, with its number', () => {
    const lines = pickPrompt(pick).split('\n');
    for (const [at, { title }] of candidates.entries())
      assert.equal(lines.filter((line) => line.includes(`[${at + 1}] ${title}`)).length, 1);
  });

  it('name no model, folder or time, so that they are the same everywhere', () => {
    for (const text of Object.values(prompts)) assert.doesNotMatch(text, /thought-trees|20\d\d-|undefined|\[object/);
  });
});
