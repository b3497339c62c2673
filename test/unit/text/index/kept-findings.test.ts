import assert from 'node:assert/strict';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { writeDocument } from '../../../../src/models/quotes/answer-request.ts';
import { Answers } from '../../../../src/models/quotes/answers.ts';
import { CacheFolder } from '../../../../src/text/index/cache-folder.ts';
import { ChunkedSources } from '../../../../src/text/index/chunked-sources.ts';
import { type ChunkedSource, contentOf, KeptFindings } from '../../../../src/text/index/findings.ts';
import type { WorkspaceIndex } from '../../../../src/text/index/workspace-index.ts';
import { WorkspaceIndexes } from '../../../../src/text/index/workspace-indexes.ts';
import { SecretFilter } from '../../../../src/text/secrets/secret-filter.ts';
import { effort } from '../../../support/effort.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

const QUESTION = 'How is a text cut into passages?';
/** What finds, as it were. */
const FINDERS = 'today';
const LONG_AGO = new Date('2020-01-01');
const SECRET = `ghp_${'q7Xw2Lr9Zt4B'.repeat(3)}`;
const ROOT = join(import.meta.dirname, '../../../..');

const SMALL = {
  'src/queue.ts': '/** Adds a pelican. */\nexport function enqueue() {\n  const a = "marmalade";\n  return a;\n}\n',
  'src/keys.ts': `import x from './queue.ts';\nexport const table = {\n  token: '${SECRET}',\n  marmalade: 1,\n};\n`,
  'README.md': '# Giraffes\n\nThey are tall.\n',
};

function filesBelow(folder: string): Record<string, string> {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.ts'));
  return Object.fromEntries(
    names.map((name) => [`${folder}/${name}`, readFileSync(join(ROOT, folder, name), 'utf8').replaceAll('\n', '\r\n')]),
  );
}

/** A workspace whose files were written long ago, as most were. */
function oldWorkspace(files: Record<string, string>): string {
  const workspace = realpathSync(makeWorkspace(files));
  for (const path of Object.keys(files)) utimesSync(join(workspace, path), LONG_AGO, LONG_AGO);
  return workspace;
}

function piecesOf({ passages }: WorkspaceIndex): string[] {
  return passages.map(({ file, kind, name, start, end }) => `${file.path} ${kind} ${name} ${start}-${end}`);
}

describe('what is kept of the files of a folder', () => {
  let path: string;
  let cache: CacheFolder;

  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'kept-'));
    cache = CacheFolder.open(path) as CacheFolder;
  });
  afterEach(() => rmSync(path, { recursive: true, force: true }));
  after(removeWorkspaces);

  /** The index that a new process has, as it were. */
  async function indexOf(
    workspace: string,
    kept: CacheFolder | null = cache,
    finders = FINDERS,
  ): Promise<WorkspaceIndex> {
    const indexes = new WorkspaceIndexes(workspace, { cache: kept, finders });
    const index = await indexes.of({ question: QUESTION });
    await indexes.saved();
    return index;
  }

  function keptFiles(): string[] {
    return readdirSync(join(path, 'indexes'))
      .filter((name) => name.endsWith('.findings'))
      .map((name) => join(path, 'indexes', name));
  }

  /** Keeps other findings than there are: whoever uses them is seen. */
  async function keepOthers(
    workspace: string,
    others: { marks?: Uint8Array; spans?: { start: number; end: number }[] },
    finders = FINDERS,
  ): Promise<void> {
    const filter = new SecretFilter(workspace);
    const sources = new ChunkedSources(workspace, filter);
    const paths = Object.keys(SMALL).sort();
    const cut = await sources.cut(paths.map((one) => ({ path: one, content: '' })));
    const findings = new KeptFindings(cache, workspace, [], finders);
    findings.save(
      cut.map((source) => {
        assert.ok(source.findings);
        const { content, secrets, marks } = source.findings;
        const { spans = secrets.spans } = others;
        return { ...source, findings: { content, secrets: { spans, count: 1 }, marks: others.marks ?? marks } };
      }),
    );
    await findings.saved();
  }

  it('gives the same tree and documents as without, whatever changed since', async () => {
    const workspace = oldWorkspace({
      ...filesBelow('src/text/chunk'),
      'tools/cut.py':
        '"""Cuts a text."""\n\n# into passages\ndef cut(text):\n    """By lines."""\n    return text.split("\\n")\n',
      'site.css': '/* A passage. */\n.passage {\n  color: red;\n}\n',
      'doc/cutting.md': 'Cutting\n=======\n\nA text is cut into passages.\n',
      ...SMALL,
    });
    const answer = (index: WorkspaceIndex): unknown => {
      const answers = new Answers(index, QUESTION);
      const topics = answers.subtopics([]);
      const siblings = topics.map(({ title }) => title);
      const documents = siblings.map((title, place) => {
        const plan = answers.plan([{ title, siblings, index: place }]);
        return writeDocument({ index, plan, question: answers.question, folder: `thought-trees/a/${place}` });
      });
      return [topics, documents, piecesOf(index), index.files.map(({ lines, secrets }) => [lines, secrets])];
    };
    const check = async (what: string): Promise<void> => {
      const without = answer(await indexOf(workspace, null));
      for (const when of ['at once', 'again'])
        assert.deepEqual(answer(await indexOf(workspace)), without, `${what}, ${when}`);
    };
    await check('at first');
    writeFileSync(
      join(workspace, 'src/text/chunk/chunk-file.ts'),
      '// Nothing is cut.\nexport function cutNothing() {\n  return 1;\n}\n',
    );
    await check('one changed');
    rmSync(join(workspace, 'src/text/chunk/markdown.ts'));
    await check('one deleted');
    renameSync(join(workspace, 'tools/cut.py'), join(workspace, 'tools/pieces.py'));
    await check('one renamed');
    writeFileSync(join(workspace, 'tools/cut.py'), 'def cut_again():\n    return 2\n');
    await check('one with an old name');
  });

  it('is used as long as the content, and what finds, is the same', async () => {
    const workspace = oldWorkspace(SMALL);
    const right = piecesOf(await indexOf(workspace, null));
    assert.ok(right.includes('src/queue.ts function enqueue 0-4'), right.join('\n'));
    await keepOthers(workspace, { marks: new Uint8Array(0) });
    assert.ok(!(await indexOf(workspace)).passages.some(({ name }) => name === 'enqueue'));
    // A file with another content at the same path, of the same size.
    writeFileSync(join(workspace, 'src/queue.ts'), SMALL['src/queue.ts'].replace('enqueue', 'dequeue'));
    assert.ok((await indexOf(workspace)).passages.some(({ name }) => name === 'dequeue'));
  });

  it('is not used by another version of what finds, which replaces it', async () => {
    const workspace = oldWorkspace(SMALL);
    const right = piecesOf(await indexOf(workspace, null));
    await keepOthers(workspace, { marks: new Uint8Array(0) }, 'yesterday');
    const before = readFileSync(keptFiles()[0] as string);
    assert.deepEqual(piecesOf(await indexOf(workspace)), right);
    assert.equal(keptFiles().length, 1);
    assert.notDeepEqual(readFileSync(keptFiles()[0] as string), before);
    assert.deepEqual(piecesOf(await indexOf(workspace)), right);
  });

  it('is not kept where what finds may change at any time, nor of a folder that may not keep anything', async () => {
    const workspace = oldWorkspace(SMALL);
    const indexes = new WorkspaceIndexes(workspace, { cache });
    await indexes.of({ question: QUESTION });
    await indexes.saved();
    assert.deepEqual(keptFiles(), []);
    const tiny = CacheFolder.open(path, 200) as CacheFolder;
    const right = piecesOf(await indexOf(workspace, null));
    assert.deepEqual(piecesOf(await indexOf(workspace, tiny)), right);
    assert.deepEqual(keptFiles(), []);
  });

  it('is made anew if it is damaged', async () => {
    const workspace = oldWorkspace(SMALL);
    const right = piecesOf(await indexOf(workspace, null));
    await keepOthers(workspace, { marks: new Uint8Array(0) });
    const file = keptFiles()[0] as string;
    const whole = readFileSync(file);
    // All that is kept of the files is in the last few bytes.
    for (let place = 0; place < whole.length; place += place < whole.length - 30 ? 23 : 1) {
      const damaged = Buffer.from(whole);
      damaged[place] = (damaged[place] as number) ^ 0x41;
      for (const bytes of [damaged, whole.subarray(0, place)]) {
        writeFileSync(file, bytes);
        assert.deepEqual(piecesOf(await indexOf(workspace)), right, `at ${place}`);
      }
    }
  });

  it('harms nobody, whatever it says', async () => {
    const workspace = oldWorkspace(SMALL);
    const right = piecesOf(await indexOf(workspace, null));
    const places = fc.record({ start: fc.nat(200), end: fc.nat(400) });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.array(fc.nat(127), { maxLength: 60 }).map((all) => Uint8Array.from(all)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.array(places, { maxLength: 3 }), async (marks, spans) => {
        await keepOthers(workspace, { marks, spans });
        const index = await indexOf(workspace);
        for (const { file, start, head, end } of index.passages)
          assert.ok(
            start >= 0 && start <= head && head <= end && end < file.lines.length,
            `${file.path} ${start}-${end}`,
          );
        new Answers(index, QUESTION).subtopics([]);
      }),
      { numRuns: effort(40) },
    );
    // No number, one that is no kind, one beyond the text.
    for (const marks of [[0x85], [0x0f, 0, 1], [0x05, 0, 200, 200, 200, 7]]) {
      await keepOthers(workspace, { marks: Uint8Array.from(marks) });
      assert.deepEqual(piecesOf(await indexOf(workspace)), right);
    }
  });

  it('has no secrets of no length, of which there could be any number', async () => {
    const written = { text: 'some text', bytes: Buffer.from('some text') };
    const findingsOf = async (spans: { start: number; end: number }[]): Promise<unknown> => {
      const findings = { content: contentOf(written), secrets: { spans, count: 1 }, marks: new Uint8Array(0) };
      const kept = new KeptFindings(cache, path, [], FINDERS);
      kept.save([{ file: { path: 'a.ts' }, findings } as never]);
      await kept.saved();
      return new KeptFindings(cache, path, [], FINDERS).of('a.ts', written)?.secrets.spans;
    };
    assert.deepEqual(await findingsOf([{ start: 0, end: 4 }]), [{ start: 0, end: 4 }]);
    rmSync(keptFiles()[0] as string);
    assert.equal(await findingsOf([{ start: 2, end: 2 }]), undefined);
  });

  it('holds no word of the files, least of all a secret, and is for its user alone', async function () {
    const workspace = oldWorkspace(SMALL);
    const index = await indexOf(workspace);
    assert.equal(index.files.find((file) => file.path === 'src/keys.ts')?.secrets, 1);
    for (const file of keptFiles()) {
      const text = readFileSync(file).toString('latin1').toLowerCase();
      for (const word of [SECRET, 'ghp_', 'enqueue', 'marmalade', 'pelican', 'giraffe'])
        assert.ok(!text.includes(word.toLowerCase()), word);
    }
    const again = await indexOf(workspace);
    assert.ok(again.files.every(({ lines }) => !lines.join('\n').includes(SECRET)));
    assert.equal(again.files.find((file) => file.path === 'src/keys.ts')?.secrets, 1);
    if (process.platform === 'win32') this.skip();
    assert.equal(keptFiles().length, 1);
    for (const file of keptFiles()) assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('is, of a large folder, of the files that questions chose', async () => {
    const filler = 'export const filler = "nothing of interest here, only words that fill the file";\n'.repeat(450);
    const parts = Array.from({ length: 130 }, (_, i) => [`src/part${i}/module${i}.ts`, filler]);
    const workspace = oldWorkspace({ ...Object.fromEntries(parts), ...SMALL });
    const asked = async (question: string): Promise<Set<string>> => {
      const indexes = new WorkspaceIndexes(workspace, { cache, finders: FINDERS });
      const { files } = await indexes.of({ question });
      await indexes.saved();
      return new Set(files.map((file) => file.path));
    };
    const pelican = await asked('How is a pelican enqueued?');
    const marmalade = await asked('Where is the table of marmalade?');
    assert.ok(pelican.size < 100 && marmalade.has('src/keys.ts'), `${pelican.size}`);
    const kept = new KeptFindings(cache, workspace, [], FINDERS);
    for (const each of [...pelican, ...marmalade]) assert.ok(kept.has(each), each);
    assert.ok(!kept.has('src/part129/module129.ts') || pelican.has('src/part129/module129.ts'));
  });

  it('is of so many files at most; those that were found first go', async () => {
    const findings = { content: '1', secrets: { spans: [], count: 0 }, marks: new Uint8Array(2000) };
    const sources = (from: number, to: number): ChunkedSource[] =>
      Array.from({ length: to - from }, (_, at) => ({ file: { path: `${from + at}.ts` }, findings }) as never);
    const one = new KeptFindings(cache, path, [], FINDERS);
    one.save(sources(0, 1500));
    one.save(sources(1500, 2500));
    await one.saved();
    const other = new KeptFindings(cache, path, [], FINDERS);
    const has = Array.from({ length: 2500 }, (_, at) => other.has(`${at}.ts`));
    assert.deepEqual([has.indexOf(true) > 400, has.lastIndexOf(false) < 600], [true, true]);
    assert.ok(keptFiles().every((file) => statSync(file).size < 5_000_000));
  });

  it('is hidden or shown as whoever asks may see it', async () => {
    const workspace = oldWorkspace(SMALL);
    await indexOf(workspace);
    const shown = new WorkspaceIndexes(workspace, { cache, finders: FINDERS, allowedFiles: ['src/keys.ts'] });
    const hasSecret = ({ files }: WorkspaceIndex): boolean =>
      files.some(({ lines }) => lines.join('\n').includes(SECRET));
    assert.ok(hasSecret(await shown.of({ question: QUESTION })));
    await shown.saved();
    assert.ok(!hasSecret(await indexOf(workspace)));
    for (const file of keptFiles()) assert.ok(!readFileSync(file).includes(SECRET));
  });

  it('is whole, whoever writes at the same time', async () => {
    const workspace = oldWorkspace(SMALL);
    const right = piecesOf(await indexOf(workspace, null));
    const wrong = keepOthers(workspace, { marks: new Uint8Array(0) });
    await Promise.all([wrong, ...Array.from({ length: 20 }, () => indexOf(workspace))]);
    assert.deepEqual(
      readdirSync(join(path, 'indexes')).filter((name) => name.endsWith('.tmp')),
      [],
    );
    // One of them, from its beginning to its end.
    const kept = piecesOf(await indexOf(workspace));
    assert.ok(JSON.stringify(kept) === JSON.stringify(right) || !kept.some((one) => one.includes('enqueue')));
  });
});
