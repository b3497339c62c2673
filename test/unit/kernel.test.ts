import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The names of the modules that a file imports or exports from. */
function importsOf(path: string, text: string): string[] {
  const { module } = parseSync(path, text);
  const { staticImports, staticExports, dynamicImports } = module;
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
}

describe('the kernel', () => {
  const files = globSync('src/engine/**/*', { cwd: ROOT, withFileTypes: true }).filter((each) => each.isFile());
  const texts = new Map(files.map(({ parentPath, name }) => [name, readFileSync(`${parentPath}/${name}`, 'utf8')]));
  const libraries = new Set(Object.keys(JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).devDependencies));

  it('is read in an evening: fifteen files, five thousand lines', () => {
    assert.ok(texts.has('search.ts') && texts.has('loop.ts'), [...texts.keys()].join(' '));
    assert.equal(texts.size, files.length, 'in one folder');
    assert.ok(files.length <= 15, `${files.length} files`);
    const lines = [...texts.values()].reduce((sum, text) => sum + text.split('\n').length - 1, 0);
    assert.ok(lines <= 5000, `${lines} lines`);
  });

  it('imports nothing but itself, the core and libraries', () => {
    const others = [...texts].flatMap(([name, text]) =>
      importsOf(name, text)
        .filter((from) => !/^\.\/[a-z-]+\.ts$|^\.\.\/core\//.test(from) && !libraries.has(from))
        .map((from) => `${name}: ${from}`),
    );
    assert.deepEqual(others, []);
  });

  it('sees whatever a file imports', () => {
    const text = `import a from './a.ts';\nexport { b } from '../b/b.ts';\nconst c = await import('../c/c.ts');\nimport type { D } from '../d/d.ts';\n`;
    assert.deepEqual(importsOf('x.ts', text).sort(), ['../b/b.ts', '../c/c.ts', '../d/d.ts', './a.ts']);
  });
});
