import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mock } from 'node:test';
import { marksOf } from '../../../../src/core/citations/citation-marks.ts';
import { markDocument } from '../../../../src/engine-parts/citations/mark-document.ts';
import { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import { citationsNow } from '../../../../src/searches/citations-now.ts';
import { nodePathIn } from '../../../../src/searches/reader/folder-watch.ts';
import { forgeSearch } from '../../../support/searches/forged-search.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';
import { heldText } from '../../engine-parts/citations/held-text.ts';
import { documents, fake, Uri, workspace } from '../fake-vscode.ts';
import { sampleLibrary, settled } from '../sidebar/sample.ts';

const { CitedSource } = await import('../../../../src/extension/documents/cited-source.ts');
const { CitationProblems } = await import('../../../../src/extension/documents/citation-problems.ts');

const SOURCE = 'export class Queue {\n  push(job: Job): void {\n    this.jobs.push(job);\n  }\n  size = 3;\n}\n';
const quoting = (place: string, words: string): string => `[${place}](x)\n\n\`\`\`ts\n${words}\n\`\`\`\n`;
const DOCUMENTS = {
  keys: `---\ntitle: Keys\nsummary: Where jobs go.\n---\n\n# Keys\n\nJobs are [kept](x) in *memory*:\n\n${quoting('src/queue.ts:3', 'this.jobs.push(job);')}`,
  'keys/size': `---\ntitle: Size\nsummary: It is bounded.\n---\n\nIt holds three, \`src/queue.ts:5\`, and pushes:\n\n${quoting('src/queue.ts:2-3', '  push(job: Job): void {\n    this.jobs.push(job);')}\n${quoting('src/queue.ts:5', '  size = 3;')}`,
};
const NEVER = { calls: 0 };
const COUNTS = { expanded: 1, leaves: 1, skipped: 0, failed: 0, pruned: 0, open: 0, calls: 2, usd: 0, minutes: 1 };
const RESULTS = { ...COUNTS, usdComplete: true, tokens: { prompt: 0, cached: 0, completion: 0, worstCase: 0 } };

/** A finished search whose documents cite a file, as the search itself would have written them. */
async function citing() {
  const root = temporaryFolder('citations');
  const folder = join(root, 'thought-trees', 'how');
  const file = join(root, 'src', 'queue.ts');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, SOURCE);
  const held = heldText({ 'src/queue.ts': SOURCE });
  const files: Record<string, string | object> = { 'children.json': [{ title: 'Keys', slug: 'keys' }] };
  const journal: object[] = [
    { type: 'search-started', model: 'ollama/m', limits: { size: 'small', maxDepth: 4, guards: NEVER } },
  ];
  for (const [path, document] of Object.entries(DOCUMENTS)) {
    const { text, citations } = await markDocument(held, `thought-trees/how/${path}`, document);
    const { title, summary } = {
      title: path === 'keys' ? 'Keys [x](command:bad) <b>' : 'Size',
      summary: 'It is bounded.',
    };
    const node = { title, summary, status: 'leaf', ...marksOf(citations) };
    Object.assign(files, { [`${path}/node.json`]: node, [`${path}/document.md`]: text });
    const [slug = '', above = ''] = path.split('/').reverse();
    journal.push({ type: 'node-added', node: above, children: [{ slug, ...node }], by: 'model' });
  }
  files['keys/children.json'] = [{ title: 'Size', slug: 'size' }];
  files['report.md'] =
    `# How\n\nWhat holds \`push\` is at src/queue.ts:5.\n\n${quoting('src/queue.ts:5', '  size = 3;')}`;
  journal.push({ type: 'search-finished', reason: 'complete', results: RESULTS });
  await forgeSearch(folder, { journal, files });
  const search = new FollowedSearch(folder, root);
  await search.refresh();
  assert.equal(search.state, 'finished', search.problem?.text);
  const { library, tell } = sampleLibrary(search);
  Object.assign(library, {
    nodeOf: (each: string) => {
      const path = nodePathIn(folder, each);
      return path === undefined ? undefined : { search, path };
    },
  });
  return { folder, file, search, library, tell };
}

/** Changes a file so that it is seen, however coarse the clock of the disk is. */
let changes = 0;
function change(file: string, text: string): void {
  writeFileSync(file, text);
  const time = new Date(Date.now() + ++changes * 10_000);
  utimesSync(file, time, time);
}

describe('the lines of a file that searches cite', () => {
  beforeEach(() => fake.reset());

  /** What is shown in the file, and how often what checks citations was asked for. */
  async function shown() {
    const parts = await citing();
    let loads = 0;
    const checks = citationsNow.open();
    const source = new CitedSource(parts.library, async () => {
      loads++;
      return checks;
    });
    const document = { uri: Uri.file(parts.file) as never, lineCount: SOURCE.split('\n').length };
    const lenses = async (): Promise<string[]> =>
      (await source.provideCodeLenses(document)).map(
        ({ range, command }) => `${(range.start as { line: number }).line + 1}: ${command?.title}`,
      );
    const hover = async (line: number): Promise<string> => {
      const found = await source.provideHover(document, { line: line - 1 });
      return (found?.contents as { value: string }[] | undefined)?.map(({ value }) => value).join('\n---\n') ?? '';
    };
    return { ...parts, source, document, lenses, hover, loads: () => loads };
  }

  it('say above them how many findings cite them, and lead to where they do', async () => {
    const { source, document, lenses, folder } = await shown();
    assert.deepEqual(await lenses(), ['2: 2 findings cite this', '5: 1 finding cites this']);
    const [first] = await source.provideCodeLenses(document);
    assert.equal(first?.command?.command, 'editor.action.showReferences');
    const places = first?.command?.arguments?.[2] as { uri: { fsPath: string }; range: { start: { line: number } } }[];
    const lines = places.map(({ uri, range }) => [
      uri.fsPath,
      readFileSync(uri.fsPath, 'utf8').split('\n')[range.start.line],
    ]);
    assert.deepEqual(lines, [
      [join(folder, 'keys/size/document.md'), '[src/queue.ts:2-3](../../../../src/queue.ts#L2-L3)'],
      [join(folder, 'keys/document.md'), '[src/queue.ts:3](../../../src/queue.ts#L3)'],
    ]);
  });

  it('have a hover with what each finding says, its lines, and a link to its node', async () => {
    const { hover, folder } = await shown();
    const [keys, size] = (await hover(3)).split('\n---\n');
    assert.match(
      keys ?? '',
      /^\*\*Keys \\\[x\\\]\\\(command:bad\\\) \\<b\\>\*\* · line 3\n\nJobs are kept in memory:\n\n\[Show in tree\]/,
    );
    assert.match(size ?? '', /lines 2-3\n\nIt holds three, src\/queue\\\.ts:5, and pushes:/);
    const [, argument = ''] = /\(command:thoughtTree\.openGraph\?([^)]+)\)/.exec(keys ?? '') ?? [];
    assert.deepEqual(JSON.parse(decodeURIComponent(argument)), [{ folder, path: 'keys' }]);
    assert.equal(await hover(4), '');
  });

  it('follow the file: what moved is shown where it is, what is gone is stale', async () => {
    const { file, lenses, hover } = await shown();
    await lenses();
    change(file, `// more\n${SOURCE.replace('size = 3', 'size = 4')}`);
    assert.deepEqual(await lenses(), ['3: 2 findings cite this', '5: 1 finding cites this, 1 stale']);
    assert.match(await hover(5), /line 5, not what it quotes any more/);
    change(file, SOURCE);
    assert.deepEqual(await lenses(), ['2: 2 findings cite this', '5: 1 finding cites this']);
  });

  it('are quiet until wanted: nothing is loaded without a finished search, by the setting, or in a search itself', async () => {
    const { search, lenses, hover, loads, source, folder } = await shown();
    fake.settings['thoughtTree.showCitations'] = false;
    assert.deepEqual([await lenses(), await hover(3)], [[], '']);
    fake.settings['thoughtTree.showCitations'] = true;
    const inside = { uri: Uri.file(join(folder, 'keys/document.md')) as never, lineCount: 9 };
    assert.deepEqual(await source.provideCodeLenses(inside), []);
    const outside = { uri: Uri.file(join(dirname(dirname(dirname(folder))), 'queue.ts')) as never, lineCount: 9 };
    assert.deepEqual(await source.provideCodeLenses(outside), []);
    Object.assign(search, { state: 'running' });
    assert.deepEqual(await lenses(), []);
    assert.equal(loads(), 0);
  });

  it('cost one reading of the search for each state of its journal', async () => {
    const { search, lenses } = await shown();
    let reads = 0;
    const told = search.toldTree.bind(search);
    search.toldTree = () => {
      reads++;
      return told();
    };
    await lenses();
    await lenses();
    assert.equal(reads, 1);
    search.record.apply({ type: 'progress', seq: 99, time: '', text: 'More' });
    await lenses();
    assert.equal(reads, 2);
  });

  it('show what a clone cites, which has no journal', async () => {
    const { folder, search, lenses } = await shown();
    rmSync(join(folder, '.search'), { recursive: true });
    const clone = new FollowedSearch(folder, search.workspace);
    await clone.refresh();
    Object.assign(search, { toldTree: () => clone.toldTree(), tree: () => clone.tree() });
    assert.deepEqual(await lenses(), ['2: 2 findings cite this', '5: 1 finding cites this']);
  });
});

describe('the problems of documents', () => {
  beforeEach(() => fake.reset());
  afterEach(() => {
    workspace.textDocuments = [];
  });

  interface Listed {
    readonly message: string;
    readonly severity: number;
    readonly range: { readonly start: { readonly line: number } };
  }

  async function listed({ drawn = false } = {}) {
    const parts = await citing();
    const checks = citationsNow.open();
    const problems = new CitationProblems({ ...parts, citations: async () => checks, isDrawn: () => drawn });
    const open = (path: string, text?: string) => {
      const file = join(parts.folder, path);
      const document = {
        uri: Uri.file(file),
        isClosed: false,
        getText: () => text ?? readFileSync(file, 'utf8'),
      };
      workspace.textDocuments.push(document);
      documents.opened.fire(document);
      return document;
    };
    const of = (path: string): Listed[] | undefined =>
      fake.problems.get(join(parts.folder, path)) as Listed[] | undefined;
    const saved = (): void => documents.saved.fire({});
    return { ...parts, problems, open, of, saved };
  }

  /** Returns a text after the edits of an action. */
  function edited(text: string, action: { edit?: unknown } | undefined): string {
    type At = { line: number; character: number };
    const { edits } = (action?.edit ?? { edits: [] }) as { edits: { range: { start: At; end: At }; text: string }[] };
    const lines = text.split('\n');
    const offset = ({ line, character }: At): number =>
      lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
    return edits
      .toSorted((a, b) => offset(b.range.start) - offset(a.range.start))
      .reduce(
        (all, { range, text: by }) => all.slice(0, offset(range.start)) + by + all.slice(offset(range.end)),
        text,
      );
  }

  it('are what moved and what is no longer there, at its citation, in documents that are open', async () => {
    const { file, open, of, saved } = await listed();
    open('keys/size/document.md');
    await until(() => of('keys/size/document.md') !== undefined);
    assert.deepEqual(of('keys/size/document.md'), []);
    change(file, `// more\n${SOURCE.replace('size = 3', 'size = 4')}`);
    saved();
    await until(() => (of('keys/size/document.md') ?? []).length === 2);
    assert.deepEqual(
      of('keys/size/document.md')?.map(({ message, severity }) => [severity, message]),
      [
        [2, 'What is cited here is at src/queue.ts:3-4 now.'],
        [1, 'src/queue.ts:5 no longer says what is quoted here.'],
      ],
    );
    assert.equal(of('keys/document.md'), undefined, 'it is not open');
    workspace.textDocuments = [];
    documents.closed.fire({});
    await until(() => of('keys/size/document.md') === undefined);
  });

  it('are put right by a quick fix, label and link alike, as the check of the search does it', async () => {
    const { file, folder, problems, open, of, saved } = await listed();
    change(file, `// more\n${SOURCE}`);
    const path = 'keys/document.md';
    const document = open(path);
    await until(() => of(path)?.length === 1);
    const range = of(path)?.[0]?.range as never;
    const [fix, go] = problems.provideCodeActions(document as never, range);
    assert.deepEqual([fix?.title, fix?.isPreferred], ['Put it right: src/queue.ts:4', true]);
    assert.equal(go?.title, 'Open src/queue.ts:4');
    const [uri, { selection }] = (go?.command?.arguments ?? []) as unknown as [
      { fsPath: string },
      { selection: { start: object } },
    ];
    assert.deepEqual([uri.fsPath, selection.start], [file, { line: 3, character: 0 }]);
    const before = document.getText();
    const after = edited(before, fix);
    assert.equal(
      after,
      before.replace('[src/queue.ts:3](../../../src/queue.ts#L3)', '[src/queue.ts:4](../../../src/queue.ts#L4)'),
    );
    const held = heldText({ 'src/queue.ts': `// more\n${SOURCE}` });
    assert.equal(after, (await markDocument(held, 'thought-trees/how/keys', before)).text);
    writeFileSync(join(folder, path), after);
    saved();
    await until(() => of(path)?.length === 0);
  });

  it('follow what is typed in the document, where only that is checked again', async () => {
    const { file, open, of } = await listed();
    change(file, `// more\n${SOURCE}`);
    const path = 'keys/document.md';
    const typed = { text: '# Nothing\n' };
    const document = open(path);
    await until(() => of(path)?.length === 1);
    document.getText = () => typed.text;
    workspace.onDidChangeTextDocument.fire({ document });
    await until(() => of(path)?.length === 0);
  });

  it('are put right all at once, and only in the text that was checked', async () => {
    const { file, problems, open, of } = await listed();
    change(file, `// more\n${SOURCE}`);
    const path = 'keys/size/document.md';
    const document = open(path);
    await until(() => of(path)?.length === 2);
    const range = of(path)?.[0]?.range as never;
    const all = problems.provideCodeActions(document as never, range).at(-1);
    assert.equal(all?.title, 'Put all 2 citations right');
    const after = edited(document.getText(), all);
    assert.match(after, /\[src\/queue\.ts:3-4\]\(.*#L3-L4\)[\s\S]*\[src\/queue\.ts:6\]\(.*#L6\)/);
    const typed = { ...document, getText: () => `${document.getText()}More.\n` };
    assert.deepEqual(problems.provideCodeActions(typed as never, range), []);
  });

  it('are those of the report and of every document while the search is drawn', async () => {
    const { file, of, saved } = await listed({ drawn: true });
    change(file, `// more\n${SOURCE}`);
    saved();
    await until(() => of('report.md')?.length === 1 && of('keys/document.md')?.length === 1);
    fake.settings['thoughtTree.showCitations'] = false;
    saved();
    await until(() => of('report.md') === undefined && of('keys/document.md') === undefined);
  });

  it('are none while the search runs, which checks itself', async () => {
    const { search, library } = await citing();
    Object.assign(search, { state: 'running' });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let loads = 0;
      const citations = async () => {
        loads++;
        return citationsNow.open();
      };
      new CitationProblems({ library, citations, isDrawn: () => true });
      mock.timers.tick(5000);
      await settled();
      assert.equal(loads, 0);
      Object.assign(search, { state: 'finished' });
      documents.saved.fire({});
      mock.timers.tick(5000);
      await settled();
      assert.ok(loads > 0);
    } finally {
      mock.timers.reset();
    }
  });
});
