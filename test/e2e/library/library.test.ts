import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npm } from '../../host/install.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const EXAMPLES = join(ROOT, 'examples/library');
const run = promisify(execFile);

/** As strict as can be, and without the types of Node: the package needs none. */
const TSCONFIG = {
  compilerOptions: {
    ...{ target: 'es2024', module: 'nodenext', lib: ['es2024', 'dom'], types: [], outDir: 'built' },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
  },
  include: ['*.ts'],
};

describe('a package of somebody else that uses ours', () => {
  let folder: string;

  before(async function () {
    this.timeout(300_000);
    folder = temporaryFolder('library');
    const packed = temporaryFolder('packed');
    await npm(ROOT, ['pack', '--ignore-scripts', '--silent', '--pack-destination', packed]);
    const [file = ''] = await readdir(packed);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'outside', private: true, type: 'module' }));
    const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    await npm(folder, ['install', ...quiet, join(packed, file)]);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    for (const name of await readdir(EXAMPLES)) await cp(join(EXAMPLES, name), join(folder, name));
    await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  });

  async function example(name: string): Promise<{ said: Record<string, unknown>; workspace: string }> {
    const workspace = join(folder, name);
    await mkdir(workspace);
    await writeFile(join(workspace, 'README.md'), '# Queue\n\nRequests wait for the queue, which is here.\n');
    const { stdout } = await run(process.execPath, [join(folder, 'built', `${name}.js`)], { cwd: workspace });
    return { said: JSON.parse(stdout) as Record<string, unknown>, workspace };
  }

  it('brings a model, a picker, prompts and front matter', async () => {
    const { said } = await example('research');
    assert.deepEqual([said['state'], said['title']], ['finished', 'One']);
    assert.ok(Number(said['calls']) > 20 && Number(said['usd']) > 0, JSON.stringify(said));
    assert.ok(Number(said['picks']) > 0);
    const document = await readFile(join(String(said['folder']), 'the-queue', 'document.md'), 'utf8');
    assert.match(document, /^risk: low$/m);
    assert.match(document, /Briefly: it waits/);
  });

  it('brings a task, which checks steps and knows a solution', async () => {
    const { said } = await example('thoughts');
    assert.deepEqual(said, { state: 'finished', answer: 'add 3, add 4' });
  });

  it('brings a strategy around that of a kind', async () => {
    assert.deepEqual((await example('own-strategy')).said, { state: 'finished', most: 1 });
  });

  it('brings a kind', async () => {
    const { said, workspace } = await example('own-kind');
    assert.deepEqual(said, { state: 'finished', hasReport: true });
    const [search = ''] = await readdir(join(workspace, 'thought-trees'));
    const file = JSON.parse(await readFile(join(workspace, 'thought-trees', search, 'search.json'), 'utf8'));
    assert.equal(file.kind, 'overview');
  });
});
