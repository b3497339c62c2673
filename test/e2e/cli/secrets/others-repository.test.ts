import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { lastPrompt, serveTools, type Use } from '../../../support/servers/tool-server.ts';
import { runCli } from '../run-cli.ts';

/** What a person told git to ignore, with words that are nowhere else. */
const NOTES = {
  'app/notes.md': '# Where requests wait\n\nThe orange elephant waits in the cellar.\n',
  'app/diary.md': '# Requests\n\nThe purple giraffe waits on the roof.\n',
  'app/private/queue.md': '# The queue of requests\n\nThe green hippopotamus waits in the river.\n',
};
const OF_NOTES = /orange elephant|purple giraffe|green hippopotamus/;
const QUEUE = '// Requests wait in this queue until a slot is free.\nexport class Queue {}\n';
const TREE = scriptedTree({ fanout: (_path, depth) => (depth === 0 ? 2 : 0), documentWords: 10 });
const USES: readonly Use[] = [
  { name: 'search', input: { pattern: 'waits? ' } },
  { name: 'list', input: {} },
  ...Object.keys(NOTES).map((path) => ({ name: 'read', input: { path: path.slice('app/'.length) } })),
];
const GIT = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();

describe('a repository of somebody else with private notes', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'thought-tree-others-'));
    const files = { ...NOTES, 'app/src/queue.js': QUEUE, '.gitignore': 'private/\n' };
    for (const [path, text] of Object.entries(files)) write(`repository/${path}`, text);
    write('home/.gitconfig', `[core]\n\texcludesFile = ${root}/home/mine\n`);
    write('home/mine', 'diary*\n');
    const top = join(root, 'repository');
    execFileSync('git', ['init', '-q'], { cwd: top });
    appendFileSync(join(top, '.git/info/exclude'), 'notes.md\n');
    // Whoever runs this may not be allowed to give files away: then git is told that they are another one's.
    if (process.getuid?.() === 0)
      for (const path of ['.', ...readdirSync(top, { recursive: true }).map(String)])
        lchownSync(join(top, path), 1234, 1234);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  /** What a server receives of a search that looks for them. @param git in the place of git's */
  async function received(git: string): Promise<string> {
    write('bin/git', `#!/bin/sh\n${git}\n`);
    chmodSync(join(root, 'bin/git'), 0o755);
    const server = await serveTools((request, round) => {
      const { purpose, node } = request;
      if (round === 0 && (purpose === 'document' || purpose === 'children')) return USES;
      const call = { n: 0, purpose, node, attempt: 1, model: '', messages: [], maxTokens: undefined };
      return TREE.answer({ ...call, prompt: lastPrompt(request) });
    });
    try {
      const home = join(root, 'home');
      const env = {
        PATH: `${join(root, 'bin')}${delimiter}${process.env['PATH']}`,
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
      };
      const model = ['--model', 'openai-compatible/tiny', '--base-url', server.baseUrl, '--tools', '--max-depth', '1'];
      const question = 'Where do requests wait, and what waits in the cellar, on the roof and in the river?';
      const place = ['--folder', join(root, 'repository/app'), '--dir', join(root, 'search')];
      const end = await runCli(['start', question, ...place, ...model], { cwd: root, env });
      assert.equal(end.code, 0, end.stderr);
      return server.log.map(({ body }) => body).join('\n');
    } finally {
      await server.close();
    }
  }

  for (const [where, git] of [
    ['that git would not list', `GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec ${GIT} "$@"`],
    ['where git cannot be asked', 'exit 1'],
  ] as const)
    it(`${where} sends no byte of them, and says what is left out`, async () => {
      const bytes = await received(git);
      assert.doesNotMatch(bytes, OF_NOTES);
      assert.match(bytes, /Requests wait in this queue/);
      assert.match(bytes, /what git ignores/);
    });
});
