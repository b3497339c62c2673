import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ACTIONS } from '../../src/core/actions/actions.ts';
import { ledExecutors } from '../../src/kinds/investigation/investigation.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { researchExecutors } from '../../src/kinds/research/research.ts';
import { thoughtExecutors } from '../../src/kinds/thoughts/thoughts.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Words of kinds that have a meaning for all: actions that all searches have, the files of a node, the plan of a search. */
const OF_ALL: ReadonlySet<string> = new Set([...Object.keys(ACTIONS), 'document', 'children', 'plan']);

/** What kinds call themselves, their moves and their purposes. */
const WORDS_OF_KINDS = new Set([
  ...KINDS.flatMap(({ descriptor }) => [descriptor.name, ...Object.keys(descriptor.purposes)]),
  ...Object.keys(researchExecutors({} as never)),
  ...Object.keys(thoughtExecutors({} as never)),
  ...Object.keys(ledExecutors({} as never)),
]);

const FILES = globSync('src/**/*.ts', { cwd: ROOT })
  .map((path) => path.replaceAll('\\', '/'))
  // The MCP server is about one kind: its tools are that kind's protocol.
  .filter((path) => !path.startsWith('src/kinds/') && !path.startsWith('src/mcp/'));

/** The string literals of a file; neither comments nor types by the name of a field. */
function literalsIn(content: string): string[] {
  const code = content.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '').replace(/\w>?\['\w+'\]/g, '');
  return [...code.matchAll(/'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"/g)].map(([, one, two]) => one ?? two ?? '');
}

describe('everything but the kinds', () => {
  it('names no kind, no move and no purpose of a kind', () => {
    assert.ok(WORDS_OF_KINDS.size > 12, [...WORDS_OF_KINDS].join(' '));
    assert.ok(FILES.length > 400, `only ${FILES.length} files found`);
    const found = FILES.flatMap((path) =>
      literalsIn(readFileSync(`${ROOT}${path}`, 'utf8'))
        .filter((word) => WORDS_OF_KINDS.has(word) && !OF_ALL.has(word))
        .map((word) => `${path}: ${word}`),
    );
    assert.deepEqual(found, []);
  });

  it('gets to know them as arguments: only the mains of hosts name the list', () => {
    const importers = FILES.filter((path) => /from '(?:\.\.?\/)+kinds\//.test(readFileSync(`${ROOT}${path}`, 'utf8')));
    assert.deepEqual(importers.sort(), [
      'src/cli/cli.ts',
      'src/extension/extension.ts',
      'src/library/library.ts',
      'src/library/unstable.ts',
    ]);
  });

  it('is read as it is written: literals alone count', () => {
    const code = "// 'one'\n/** 'two' */\nconst a: B['three'] = 'four' + \"five\"; // 'six'";
    assert.deepEqual(literalsIn(code), ['four', 'five']);
  });
});
