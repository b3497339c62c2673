import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { buildProgram } from '../../src/cli/run-cli.ts';
import { KINDS } from '../../src/kinds/kinds.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Files of a reader's own workspace that documents tell of. */
const EXAMPLES = new Set(['src/queue.ts']);
const ROOMS = 'src|test|bench|eval|scripts|webview-ui|doc|media|l10n';

/** The files and folders that a document claims to exist: code spans that look like paths of this repository. */
function namesIn(text: string): string[] {
  const spans = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1] as string);
  return spans.flatMap(choices).filter((name) => {
    if (EXAMPLES.has(name) || /[<>*…\s]/.test(name)) return false;
    return new RegExp(`^(?:${ROOMS})/`).test(name) || /^[\w./-]+\/[\w.-]+\.(?:tsx?|mjs)$/.test(name);
  });
}

/** `src/a/{b,c}` names two. */
function choices(name: string): string[] {
  const match = /^(.*?)\{([^{}]*)\}(.*)$/.exec(name);
  if (!match) return [name];
  const [, before = '', list = '', after = ''] = match;
  return list.split(',').flatMap((each) => choices(`${before}${each}${after}`));
}

/** Whether a name is a path from the root, or from one of the rooms, as in `engine/search.ts`. */
function exists(name: string): boolean {
  return ['', 'src/', 'src/kinds/', 'webview-ui/', 'test/'].some((room) => existsSync(`${ROOT}${room}${name}`));
}

describe('the documents', () => {
  for (const file of [
    'AGENTS.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'README.md',
    ...globSync('doc/{*,internals/*}.md', { cwd: ROOT }),
  ])
    it(`name files that exist: ${file}`, () => {
      const names = namesIn(readFileSync(`${ROOT}${file}`, 'utf8'));
      assert.deepEqual(
        names.filter((name) => !exists(name)),
        [],
      );
    });

  it('tell a stranger the architecture in twenty minutes', () => {
    assert.ok(statSync(`${ROOT}ARCHITECTURE.md`).size <= 12 * 1024);
  });

  it('show contracts as they are', () => {
    const sources = ['core/kind/strategy', 'engine/kind', 'core/ports/model', 'engine/context'];
    const bare = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$|\s+/gm, '');
    const code = sources.map((name) => bare(readFileSync(`${ROOT}src/${name}.ts`, 'utf8'))).join('');
    const shown = Array.from(
      readFileSync(`${ROOT}ARCHITECTURE.md`, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm),
      ([, text = '']) => bare(text).replaceAll(/interface\w+(?:<[\w,]+>)?\{|\}/g, ';'),
    );
    const members = shown.flatMap((text) => text.split(';')).filter((member) => member !== '');
    assert.ok(members.length > 15);
    assert.deepEqual(
      members.filter((member) => !code.includes(`${member};`)),
      [],
    );
  });

  const pages = globSync('doc/internals/*.md', { cwd: ROOT });
  for (const page of pages)
    it(`say what is promised, and which tests guard it: ${page}`, () => {
      const text = readFileSync(`${ROOT}${page}`, 'utf8');
      const [, guards = ''] = /^# .+\n\n\*\*Invariant\.\*\* (?:.+\n)+\*\*Guards\.\*\* ((?:.+\n)+)\n/.exec(text) ?? [];
      assert.ok(
        namesIn(guards).some((name) => name.startsWith('test/')),
        'no test is named',
      );
      assert.ok(text.length <= 8 * 1024);
      assert.ok(readFileSync(`${ROOT}ARCHITECTURE.md`, 'utf8').includes(`(${page.replaceAll('\\', '/')})`));
    });

  it('link to what exists', () => {
    for (const file of [
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'README.md',
      'SECURITY.md',
      'AGENTS.md',
      'doc/decisions.md',
      ...pages,
    ]) {
      const text = readFileSync(`${ROOT}${file}`, 'utf8');
      const links = Array.from(text.matchAll(/\]\((?!https?:)([^)#\s]+)/g), ([, link = '']) => link);
      assert.deepEqual(
        links.filter((link) => !existsSync(join(ROOT, dirname(file), link))),
        [],
        file,
      );
    }
  });

  it('name scripts that exist, and CI the oldest editor', () => {
    const { scripts, engines } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
    const workflow = readFileSync(`${ROOT}.github/workflows/ci.yml`, 'utf8');
    const guides = ['CONTRIBUTING.md', 'README.md', 'AGENTS.md', '.devcontainer/devcontainer.json'];
    const text = [workflow, ...guides.map((file) => readFileSync(`${ROOT}${file}`, 'utf8'))].join('\n');
    const named = Array.from(text.matchAll(/\bnpm run ([a-z][a-z\d:]*)/g), ([, name = '']) => name);
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter((name) => !(name in scripts)),
      [],
    );
    assert.ok(workflow.includes(`version: [${engines.vscode.replace('^', '')}, stable]`));
  });

  it('are YAML and JSON where other programs read them', () => {
    const forms = globSync('.github/{workflows,ISSUE_TEMPLATE}/*.yml', { cwd: ROOT });
    assert.equal(forms.length, 4);
    for (const form of forms) assert.equal(typeof load(readFileSync(`${ROOT}${form}`, 'utf8')), 'object');
    for (const file of ['.devcontainer/devcontainer.json', '.vscode/launch.json'])
      assert.ok(JSON.parse(readFileSync(`${ROOT}${file}`, 'utf8')));
  });

  it('say of every library why it is here', () => {
    const { dependencies = {}, devDependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
    const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'));
    const told = readFileSync(`${ROOT}doc/dependencies.md`, 'utf8');
    assert.deepEqual(
      names.filter((name) => !told.includes(`\`${name}\``)),
      [],
    );
  });

  it('tell coding agents what they need in 40 lines', () => {
    assert.ok(readFileSync(`${ROOT}AGENTS.md`, 'utf8').trimEnd().split('\n').length <= 40);
  });

  it('are readable', () => {
    const text =
      'See `engine/search.ts`, `src/{core,none}/tree`, not `{ok, message}`, `a b/c.ts` or `thought-trees/x`.';
    assert.deepEqual(namesIn(text), ['engine/search.ts', 'src/core/tree', 'src/none/tree']);
    assert.deepEqual(namesIn(text).map(exists), [true, true, false]);
  });

  it('tell of every option of a research search', () => {
    const start = buildProgram(KINDS, () => undefined).commands.find((command) => command.name() === 'start');
    const guide = readFileSync(`${ROOT}doc/research-search.md`, 'utf8');
    const others = KINDS.filter(({ descriptor }) => descriptor.name !== 'research').flatMap(
      ({ descriptor }) => descriptor.options,
    );
    const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const ofOthers = new Set(others.map(({ name, flag }) => `--${flag ?? dashed(name)}`));
    const ofTasks =
      /^--(?:kind|check|check-timeout|hooks|demo|plan|allow-commands|allow-network|allow-experiments|mirror)$/;
    const shown = (start?.options ?? []).filter(({ hidden }) => !hidden);
    const flags = shown.map(({ long }) => long ?? '').filter((flag) => !ofOthers.has(flag));
    assert.ok(flags.length > 20);
    assert.deepEqual(
      flags.filter((flag) => !ofTasks.test(flag) && !guide.includes(`${flag}`)),
      [],
    );
  });

  it('show reports as they are: the beginnings of golden ones', () => {
    const golden = globSync(`${ROOT}test/golden/quotes/*.md`).map((file) => readFileSync(file, 'utf8'));
    const guide = readFileSync(`${ROOT}doc/researcher.md`, 'utf8');
    const shown = Array.from(guide.matchAll(/^````md\n(.*?)^````$/gms), ([, text = '']) => text);
    assert.equal(shown.length, 3);
    for (const text of shown) {
      const [beginning = ''] = text.split('## Topics');
      assert.ok(
        golden.some((report) => report.startsWith(beginning.trimEnd())),
        beginning,
      );
    }
  });
});
