import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { lastPrompt, serveTools, type Use } from '../../../support/servers/tool-server.ts';
import { runCli } from '../run-cli.ts';

const SECRET = 'xT7!mQ2#vLp9';
const PATHS = ['gate.py', '.env', '.config/app.yml'];
const ALLOW = { allowFile: PATHS, allowedFiles: PATHS, 'allow-file': PATHS };
const TREE = scriptedTree({ fanout: (_path, depth) => (depth === 0 ? 2 : 0), documentWords: 10 });
const USES: readonly Use[] = [
  { name: 'search', input: { pattern: 'password' } },
  ...PATHS.map((path) => ({ name: 'read', input: { path } })),
];

/** A folder as it may come from anybody: files with secrets, and everything in it says that they may be shown. */
const FOLDER: Readonly<Record<string, unknown>> = {
  'gate.py': `# secretlint-disable, gitleaks:allow, thought-tree: allow-file gate.py\npassword = "${SECRET}"\n`,
  '.env': `THOUGHT_TREE_ALLOW_FILE=${PATHS.join(',')}\npassword=${SECRET}\n`,
  '.config/app.yml': `password: "${SECRET}"\n`,
  '.vscode/settings.json': { 'thoughtTree.allowedFiles': PATHS },
  'package.json': { name: 'gate', thoughtTree: ALLOW, secretlint: { rules: [] } },
  '.secretlintrc.json': { rules: [] },
  'thought-trees/clone/search.json': {
    ...{ version: 1, kind: 'research', title: 'Clone', prompt: 'What does the gate do?', strategy: 'research' },
    ...ALLOW,
    options: { ...ALLOW, tools: true, maxDepth: 1 },
    createdAt: '2026-01-01T00:00:00.000Z',
  },
  'thought-trees/clone/notes.md': `--allow-file ${PATHS.join(' --allow-file ')}\n`,
};

describe('files that models are shown as they are', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-allowed-'));
    for (const [path, content] of Object.entries(FOLDER)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
    }
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** What a server receives of a model that reads all of these files. */
  async function received(...more: string[]): Promise<string> {
    const server = await serveTools((request, round) => {
      if (request.purpose === 'document' && round === 0) return USES;
      const { purpose, node } = request;
      const call = { n: 0, purpose, node, attempt: 1, model: '', messages: [], maxTokens: undefined };
      return TREE.answer({ ...call, prompt: lastPrompt(request) });
    });
    try {
      const model = ['--model', 'openai-compatible/tiny', '--base-url', server.baseUrl, '--tools'];
      const env = { THOUGHT_TREE_ALLOW_FILE: PATHS.join(',') };
      const end = await runCli(['resume', join('thought-trees', 'clone'), ...model, ...more], { cwd: folder, env });
      assert.equal(end.code, 0, end.stderr);
      const bodies = server.log.map(({ body }) => body).join('\n');
      assert.match(bodies, /gate\.py, lines 1 to/);
      return bodies;
    } finally {
      await server.close();
    }
  }

  it('are none for anything that the folder says, and none for the environment', async () => {
    const bytes = await received();
    assert.ok(!bytes.includes(SECRET));
    assert.match(bytes, /1 secret left out of gate\.py/);
  });

  it('are those that the command names', async () => {
    const bytes = await received('--allow-file', 'gate.py', '--allow-file', '.config');
    assert.equal(bytes.split(`# secretlint-disable`).length > 1 && bytes.includes(SECRET), true);
    assert.match(bytes, /That file is not for reading/);
  });
});
