import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AllowsExperiment, Experiment, Experiments } from '../../../src/core/ports/workshop.ts';
import { openToolbox } from '../../../src/searches/tools/tools.ts';
import { openExperiments } from '../../../src/work/open-workshop.ts';
import { never, pathWithout, WorkPlace } from '../../support/work/work-place.ts';

const FILES = {
  'src/parse.js': 'export const parse = (text) => text.split(",").filter(Boolean);\n',
  'package.json': '{ "type": "module" }\n',
  '.env': 'KEY=oleander\n',
  '.gitignore': 'node_modules\nlocal.json\n',
  'local.json': '{ "word": "oleander" }\n',
  'node_modules/dep/index.js': 'export default 41;\n',
  'node_modules/dep/package.json': '{ "type": "module", "exports": "./index.js" }\n',
};

const SHOWN = async () => ['src/parse.js', 'package.json'];

async function opened(
  allows: AllowsExperiment = async () => true,
  searchPath?: string,
): Promise<{ place: WorkPlace; experiments: Experiments | undefined }> {
  const place = new WorkPlace();
  place.commit(FILES);
  return { place, experiments: await openedIn(place, allows, searchPath) };
}

function openedIn(
  place: WorkPlace,
  allows: AllowsExperiment = async () => true,
  searchPath?: string,
  files: () => Promise<readonly string[]> = SHOWN,
): Promise<Experiments | undefined> {
  return openExperiments({
    workspace: place.workspace,
    folder: join(place.state, 'work', 'search', 'experiments'),
    hidden: [place.state],
    redact: async (text) => text,
    files,
    allows,
    searchPath,
  });
}

const js = (program: string): Experiment => ({ language: 'javascript', program });

describe('a small program of a model', () => {
  before(async function () {
    const { experiments } = await opened();
    // The same as for commands: where the system has no sandbox, there is nothing to be held by.
    if (!experiments && process.platform !== 'linux') this.skip();
    await experiments?.close();
  });

  it('runs on a copy of the workspace with what is installed there, and leaves nothing behind', async () => {
    const { place, experiments } = await opened();
    assert.ok(experiments, 'there is no sandbox');
    const program = `import { writeFileSync, rmSync } from 'node:fs';
import dep from 'dep';
import { parse } from './src/parse.js';
console.log(JSON.stringify(parse('1,,2')), dep + 1);
writeFileSync('src/parse.js', 'gone'); rmSync('package.json');`;
    const { exitCode, output } = await experiments.run(js(program), never);
    assert.deepEqual([exitCode, output.trim()], [0, '["1","2"] 42']);
    assert.equal(readFileSync(join(place.workspace, 'src/parse.js'), 'utf8'), FILES['src/parse.js']);
    const again = await experiments.run(js(`import { parse } from './src/parse.js'; console.log(parse('a'));`), never);
    assert.match(again.output, /\[ 'a' \]/, 'the next one has a copy of its own');
    const shell = await experiments.run({ language: 'shell', program: 'ls; exit 3' }, never);
    assert.deepEqual([shell.exitCode, shell.output.includes('package.json')], [3, true]);
    await experiments.close();
    assert.equal(existsSync(join(place.state, 'work', 'search', 'experiments')), false);
    assert.deepEqual(readdirSync(place.workspace).sort(), [
      '.env',
      '.git',
      '.gitignore',
      'local.json',
      'node_modules',
      'package.json',
      'src',
    ]);
  });

  it('runs on no copy that a process left when it was killed', async () => {
    const { place, experiments } = await opened();
    await experiments?.close();
    const left = join(place.state, 'work', 'search', 'experiments', 'base');
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'gone.js'), 'export default 1;');
    const again = await openedIn(place);
    const { output } = await (again as Experiments).run({ language: 'shell', program: 'ls' }, never);
    await again?.close();
    assert.match(output, /package\.json/);
    assert.doesNotMatch(output, /gone\.js/);
  });

  it('runs where the workspace could not be copied for the one before it, on a copy without what that one left', async () => {
    const { place, experiments } = await opened();
    await experiments?.close();
    const looks: (readonly string[])[] = [['package.json', 'busy'], ['src/parse.js']];
    place.write({ busy: '' });
    const again = await openedIn(place, undefined, undefined, async () => {
      const files = looks.shift() ?? [];
      // A folder in the place of a file cannot be written over.
      if (files.includes('busy')) mkdirSync(join(place.state, 'work', 'search', 'experiments', 'base', 'busy'));
      return files;
    });
    assert.ok(again, 'there is no sandbox');
    const list: Experiment = { language: 'shell', program: 'ls' };
    await assert.rejects(again.run(list, never));
    const { output } = await again.run(list, never);
    assert.match(output, /^src$/m);
    assert.doesNotMatch(output, /package\.json|busy/);
    assert.equal((await again.run(list, never)).output, output, 'it is copied once');
    await again.close();
  });

  it('sees no network, no key, no home and no secret, and cannot write elsewhere', async () => {
    const server = createServer((_, answer) => answer.end('oleander'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    process.env['SOME_API_KEY'] = 'oleander';
    const { place, experiments } = await opened();
    const program = `import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
const tell = async (what, look) => console.log(what, await Promise.resolve().then(look).catch((error) => error.code ?? error.cause?.code ?? 'none'));
await tell('network', async () => (await fetch('http://127.0.0.1:${port}')).text());
await tell('key', () => process.env.SOME_API_KEY);
await tell('secret', () => readFileSync(${JSON.stringify(join(place.workspace, '.env'))}, 'utf8'));
await tell('ignored', () => readFileSync(${JSON.stringify(join(place.workspace, 'local.json'))}, 'utf8'));
await tell('state', () => readdirSync(${JSON.stringify(place.state)}).join() || 'empty');
await tell('home', () => readdirSync(${JSON.stringify(process.env['HOME'] ?? '/root')}).filter((name) => !name.startsWith('.')).join());
await tell('workspace', () => writeFileSync(${JSON.stringify(join(place.workspace, 'x'))}, 'x'));`;
    const { output } = await (experiments as Experiments).run(js(program), never);
    delete process.env['SOME_API_KEY'];
    await experiments?.close();
    server.close();
    assert.doesNotMatch(output, /oleander/);
    assert.match(output, /^network ECONN\w+$/m);
    assert.match(output, /^key undefined$/m);
    assert.match(output, /^ignored ENOENT$/m);
    assert.match(output, /^home ?$/m);
    assert.equal(existsSync(join(place.workspace, 'x')), false);
  });

  it('does not run where a person does not agree, and is shown to them whole', async () => {
    const asked: Experiment[] = [];
    const { experiments } = await opened(async (experiment) => {
      asked.push(experiment);
      return false;
    });
    const toolbox = openToolbox('/nowhere', [], undefined, experiments);
    const input = { code: 'console.log(1)', language: 'node' };
    const used = await toolbox.use({ id: '1', name: 'run_program', input }, never);
    assert.deepEqual([used.isRefused, used.text], [true, 'The person did not agree to run this program.']);
    assert.deepEqual(asked, [js('console.log(1)')]);
    const odd = await toolbox.use({ id: '1', name: 'run_program', input: { program: '1', language: 'cobol' } }, never);
    assert.match(odd.text, /There is no such language here/);
    await toolbox.close?.();
  });

  it('gives a model the exit code and the output', async () => {
    const { experiments } = await opened();
    const toolbox = openToolbox('/nowhere', [], undefined, experiments);
    const input = { program: 'console.log(6 * 7); process.exit(2)' };
    const { text, what } = await toolbox.use({ id: '1', name: 'run_program', input }, never);
    assert.deepEqual([text, what], ['Exit code 2.\n42\n', 'run a javascript program']);
    await toolbox.close?.();
  });
});

describe('a small program of a model, where nothing would hold it', () => {
  it('is not offered at all', async () => {
    const { place, experiments } = await opened(undefined, pathWithout('bwrap'));
    assert.equal(experiments, undefined);
    assert.equal(existsSync(join(place.state, 'work', 'search', 'experiments')), false);
    assert.ok(!openToolbox(place.workspace).tools.some(({ name }) => name === 'run_program'));
  });
});
