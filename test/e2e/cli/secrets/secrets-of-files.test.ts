import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SecretValues } from '../../../fixtures/secrets/secret-values.ts';
import { SOURCE_FORM } from '../../../support/searches/e2e-search.ts';
import { type FormsName, type PlantedFile, plantedFiles, SECRET_NAMES } from '../../../support/secret-corpus.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { lastPrompt, serveTools, type Use } from '../../../support/servers/tool-server.ts';
import { runCli } from '../run-cli.ts';

/** The share of each group of forms that has to be held back; `learnt` forms bind nobody but those who change a rule. */
const LEAST: Readonly<Record<FormsName, number>> = { known: 0.98, other: 0.85, learnt: 0.85 };

const PLANTED = [...plantedFiles('known', 2), ...plantedFiles('other', 2), ...plantedFiles('learnt', 1)];

/** Files that are left out whole; what is in them is found in no other way. */
const NAMED = SECRET_NAMES.map((path, at) => ({ path, secret: `oleander ${new SecretValues(at).alnum(12)}` }));
const PATHS = [...PLANTED, ...NAMED].map(({ path }) => path);

const QUESTION = 'Where do the parts of this workspace keep each password, token and key that a client connects with?';
/** Uses of tools in a round, and rounds in a document. */
const AT_ONCE = 8;
const ROUNDS = 8;

const tree = scriptedTree({ fanout: (_path, depth) => [12, 12][depth] ?? 0, documentWords: 10 });

/** What a run sent, and what it kept. */
interface Run {
  /** What the server received: the bytes, and what they say. */
  readonly received: string;
  /** What the search and the recording hold. */
  readonly kept: string;
}

/** Lets a model read a folder. @param more what the command is told besides */
type Reads = (folder: string, ...more: string[]) => Promise<Run>;

/** A model that reads every file with its tools, and searches them all. */
const withTools: Reads = async (folder, ...more) => {
  const uses: Use[] = [
    ...['password', 'token', 'key', 'secret', 'oleander'].map((pattern) => ({ name: 'search', input: { pattern } })),
    ...PATHS.map((path) => ({ name: 'read', input: { path } })),
  ];
  const server = await serveTools((request, round) => {
    const { purpose, node } = request;
    if (purpose === 'document' && round < ROUNDS && uses.length > 0) return uses.splice(0, AT_ONCE);
    const call = { n: 0, purpose, node, attempt: 1, model: '', messages: [], maxTokens: undefined };
    return tree.answer({ ...call, prompt: lastPrompt(request) });
  });
  try {
    const kept = await search(folder, server.baseUrl, '--tools', ...more);
    assert.equal(uses.length, 0, 'every file was asked for');
    return { kept, received: receivedBy(server.log) };
  } finally {
    await server.close();
  }
};

describe('secrets in files', () => {
  it('are over 300, a third of them in forms that no rule was written for', () => {
    const [known, others] = [plantedFiles('known', 2).length, plantedFiles('other', 2).length];
    assert.ok(known + others >= 300 && others / (known + others) >= 1 / 3, `${known} and ${others}`);
  });

  describe('where a model reads every file with tools', () => {
    let folder: string;
    let seen: readonly PlantedFile[];
    let run: Run;
    before(async function () {
      this.timeout(400_000);
      folder = await mkdtemp(join(tmpdir(), 'thought-tree-secrets-'));
      await plant(folder);
      const open = await withTools(folder, ...PATHS.flatMap((path) => ['--allow-file', path]));
      seen = PLANTED.filter((file) => isIn(file, open.received));
      await rm(join(folder, 'thought-trees'), { recursive: true });
      run = await withTools(folder);
    });
    after(() => rm(folder, { recursive: true, force: true }));

    it('are all there to be seen by a model that is allowed to', () => {
      assert.ok(seen.length >= 0.97 * PLANTED.length, `${seen.length} of ${PLANTED.length}`);
    });

    for (const [forms, least] of Object.entries(LEAST) as [FormsName, number][])
      it(`of ${forms} forms reach neither the server nor what is kept, at least ${100 * least} % of them`, () => {
        const files = seen.filter((file) => file.forms === forms);
        for (const text of [run.received, run.kept]) {
          const leaks = files.filter((file) => isIn(file, text));
          const rate = 1 - leaks.length / files.length;
          const names = leaks.map(({ form }) => form).join(', ');
          const said = `${forms} forms: ${files.length - leaks.length} of ${files.length} held back (${(100 * rate).toFixed(1)} %)`;
          if (text === run.received)
            process.stdout.write(`${said} where a model reads with tools${names && `; sent: ${names}`}\n`);
          assert.ok(rate >= least, `${said}: ${names}`);
        }
      });

    it('reach neither of them from a file that is left out for its name', () => {
      for (const { path, secret } of NAMED)
        for (const text of [run.received, run.kept]) assert.ok(!text.includes(secret), path);
    });
  });
});

async function plant(folder: string): Promise<void> {
  for (const { path, text } of [...PLANTED, ...NAMED.map(({ path, secret }) => ({ path, text: `${secret}\n` }))]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Searches a folder to the end, and gives all that is kept of it. */
async function search(folder: string, baseUrl: string, ...more: string[]): Promise<string> {
  const model = ['--model', 'openai-compatible/tiny', '--base-url', baseUrl];
  const record = join(folder, 'thought-trees', 'record.jsonl');
  await mkdir(dirname(record), { recursive: true });
  const args = [
    'start',
    QUESTION,
    '--title',
    'Keys',
    '--max-depth',
    '2',
    '--size',
    'all',
    '--max-tokens',
    '20000000',
    '--record',
    record,
  ];
  const end = await runCli([...args, ...model, ...SOURCE_FORM, ...more], { cwd: folder });
  assert.equal(end.code, 0, `${end.stderr.slice(0, 3000)}\n${end.stdout.slice(0, 3000)}`);
  return textOf(join(folder, 'thought-trees'));
}

/** The content of all files of a folder. */
async function textOf(folder: string): Promise<string> {
  const paths = (await readdir(folder, { recursive: true })).map((path) => join(folder, path));
  const texts = await Promise.all(
    paths.map(async (path) => ((await stat(path)).isFile() ? readFile(path, 'utf8') : '')),
  );
  return texts.join('\n');
}

/** Once each, since every request repeats the conversation before it: the bytes, and what they say. */
function receivedBy(log: readonly { readonly body: string }[]): string {
  const received = new Set<string>();
  for (const { body } of log) {
    const request = JSON.parse(body) as { messages: { content: string | null }[] };
    const { messages, ...rest } = request;
    // What is not written as it would be here stays whole.
    if (JSON.stringify(request) !== body) received.add(body);
    for (const part of [rest, ...messages]) received.add(JSON.stringify(part));
    for (const { content } of messages) received.add(String(content));
  }
  return [...received].join('\n');
}

function isIn({ secrets }: PlantedFile, text: string): boolean {
  return secrets.some((secret) => text.includes(secret));
}
