import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ACTIONS } from '../../src/core/actions/actions.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { researchExecutors } from '../../src/kinds/research/research-executors.ts';
import { thoughtExecutors } from '../../src/kinds/thoughts/thought-executors.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Words of kinds that the kernel has a meaning of its own for: actions that all searches have, and the files of a node. */
const OF_THE_KERNEL: ReadonlySet<string> = new Set([...Object.keys(ACTIONS), 'document', 'children']);

/** What kinds call themselves, their moves and their purposes. */
const WORDS_OF_KINDS = new Set([
  ...KINDS.flatMap(({ face }) => [face.name, ...Object.keys(face.purposes)]),
  ...Object.keys(researchExecutors({} as never)),
  ...Object.keys(thoughtExecutors({} as never)),
]);

/** The string literals of a file; neither comments nor types by the name of a field. */
function literalsIn(content: string): string[] {
  const code = content.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '').replace(/\w>?\['\w+'\]/g, '');
  return [...code.matchAll(/'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"/g)].map(([, one, two]) => one ?? two ?? '');
}

describe('the kernel', () => {
  it('names no kind, no move and no purpose of a kind', () => {
    assert.ok(WORDS_OF_KINDS.size > 12, [...WORDS_OF_KINDS].join(' '));
    const files = globSync(['src/engine/**/*.ts', 'src/core/**/*.ts'], { cwd: ROOT });
    assert.ok(files.length > 100, `only ${files.length} files found`);
    const found = files.flatMap((path) =>
      literalsIn(readFileSync(`${ROOT}${path}`, 'utf8'))
        .filter((word) => WORDS_OF_KINDS.has(word) && !OF_THE_KERNEL.has(word))
        .map((word) => `${path}: ${word}`),
    );
    assert.deepEqual(found, []);
  });

  it('is read as it is written: literals alone count', () => {
    const code = "// 'one'\n/** 'two' */\nconst a: B['three'] = 'four' + \"five\"; // 'six'";
    assert.deepEqual(literalsIn(code), ['four', 'five']);
  });
});
