import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { unsharedState } from '../../scripts/bundle-state.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const lazily: Plugin = {
  name: 'lazily',
  setup: (b) =>
    b.onResolve({ filter: /lazy\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './lazy.cjs', external: true } : undefined,
    ),
};

/**
 * Builds a program whose two bundles both have a module, and finds what they do not share.
 * @param shared the module
 * @param main what the first bundle does with it; without `import('./lazy.ts')`, the second is another program
 */
async function foundIn(
  shared: string,
  main: string,
  allowed: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const folder = temporaryFolder('bundles');
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('shared.ts', shared);
  write('main.ts', `import * as all from './shared.ts';\n${main}\nconsole.log(all);\n`);
  write('lazy.ts', "import * as all from './shared.ts';\nconsole.log(all);\n");
  const { metafile } = await build({
    entryPoints: { main: join(folder, 'main.ts'), lazy: join(folder, 'lazy.ts') },
    outdir: join(folder, 'dist'),
    outExtension: { '.js': '.cjs' },
    platform: 'node',
    format: 'cjs',
    bundle: true,
    write: false,
    metafile: true,
    plugins: [lazily],
  });
  const names = Object.fromEntries(
    Object.entries(allowed).map(([name, why]) => [`${relative('.', join(folder, 'shared.ts'))}#${name}`, why]),
  );
  const found = unsharedState(metafile, () => true, names);
  return found.map((line) => line.replaceAll(`${relative('.', folder)}/`, ''));
}

const LOAD = "void import('./lazy.ts');";

describe('what bundles of one process do not share', () => {
  const FOUND: readonly (readonly [what: string, shared: string, main: string, line: string])[] = [
    [
      'a class that is a key',
      'export class Key {}',
      "import { Key } from './shared.ts';\nnew Map().get(Key);",
      'main.ts:4: Key of shared.ts is a value, and is in main.cjs, lazy.cjs',
    ],
    [
      'a class that is a key from the beginning',
      'export class Key {}',
      "import { Key } from './shared.ts';\nexport const known = () => new Map([[Key, 1]]);",
      'main.ts:4: Key of shared.ts is a value, and is in main.cjs, lazy.cjs',
    ],
    [
      'a class that is asked for',
      'export class Refusal {}',
      "import { Refusal } from './shared.ts';\nexport const is = (it: unknown) => it instanceof Refusal;",
      'main.ts:4: Refusal of shared.ts is asked for with instanceof, and is in main.cjs, lazy.cjs',
    ],
    [
      'a symbol',
      "export const MARK = Symbol('mark');",
      '',
      'shared.ts:1: MARK is a state, and is in main.cjs, lazy.cjs',
    ],
    ['a variable', '\nexport let last = 0;', '', 'shared.ts:2: last is a state, and is in main.cjs, lazy.cjs'],
    [
      'a collection that is changed',
      'const known = new WeakMap();\nexport const keep = (it: object) => known.set(it, 1);',
      '',
      'shared.ts:2: known is changed, and is in main.cjs, lazy.cjs',
    ],
    [
      'an object that is changed',
      'export const counts = { all: 0 };',
      "import { counts } from './shared.ts';\ncounts.all++;",
      'main.ts:4: counts of shared.ts is changed, and is in main.cjs, lazy.cjs',
    ],
    [
      'an object that is compared',
      'export const NONE = {} as const;',
      "import { NONE } from './shared.ts';\nexport const is = (it: unknown) => it === NONE;",
      'main.ts:4: NONE of shared.ts is compared, and is in main.cjs, lazy.cjs',
    ],
    [
      'an instance of a class of ours',
      'class Queue {}\nexport const queue = new Queue();',
      '',
      'shared.ts:2: queue is a state, and is in main.cjs, lazy.cjs',
    ],
    [
      'instances that read what is private to others',
      'export class Sum {\n  #n = 1;\n  add(other: Sum): void {\n    this.#n += other.#n;\n  }\n}',
      '',
      'shared.ts:1: Sum reads private fields of others of it, and is in main.cjs, lazy.cjs',
    ],
  ];
  for (const [what, shared, main, line] of FOUND)
    it(`is found: ${what}`, async () => {
      assert.deepEqual(await foundIn(shared, `${LOAD}\n${main}`), [line]);
      assert.deepEqual(await foundIn(shared, main), [], 'each in a process of its own');
    });

  for (const [what, shared, main] of [
    ['a class whose parts have a name', "export class Part { static part = 'part'; }", 'given(Part);'],
    ['a class of which instances are made', 'export class Part {}', 'new Part();'],
    ['a symbol that every copy has', "export const Part = Symbol.for('part');", 'given(Part === Part);'],
    ['a collection that is only read', "export const Part = new Set(['a']);", "given(Part.has('a'));"],
    ['an object that is only read', 'export const Part = { all: 0 };', 'given(Part.all);'],
    [
      'a class that makes its own instances',
      'export class Part {\n  #n = 1;\n  static make() {\n    const made = new Part();\n    made.#n = 2;\n    return made.#n;\n  }\n}',
      'given(Part.make());',
    ],
  ])
    it(`is not: ${what}`, async () => {
      const used = `import { Part } from './shared.ts';\ndeclare const given: (it: unknown) => void;\n${main}`;
      assert.deepEqual(await foundIn(shared as string, `${LOAD}\n${used}`), []);
    });

  it('is not what may be there twice, which has to be there', async () => {
    const allowed = { last: 'a cache' };
    assert.deepEqual(await foundIn('export let last = 0;', LOAD, allowed), []);
    assert.deepEqual(await foundIn('export const last = 0;', LOAD, allowed), [
      'shared.ts#last is not there more than once',
    ]);
  });
});
