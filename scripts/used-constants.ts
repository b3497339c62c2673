import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import { parseSync } from 'oxc-parser';

/**
 * Leaves constants that a bundle does not use out of it, as esbuild does with functions: schemas, tables, messages. To work one
 * out has no other effect here: knip and the type check refuse a constant that nothing uses.
 */
export const usedConstants: Plugin = {
  name: 'used-constants',
  setup: (b) =>
    b.onLoad({ filter: /[\\/](?:src|webview-ui)[\\/].*\.tsx?$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      let contents = text;
      for (const [start, end] of constantsIn(path, text).reverse())
        contents = `${contents.slice(0, start)}/* @__PURE__ */ (() => (${contents.slice(start, end)}))()${contents.slice(end)}`;
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    }),
};

/** Returns where the values of a module's constants begin and end, except plain ones, which esbuild itself leaves out. */
function constantsIn(path: string, text: string): (readonly [number, number])[] {
  return parseSync(path, text).program.body.flatMap((each) => {
    const statement = each.type === 'ExportNamedDeclaration' ? each.declaration : each;
    if (statement?.type !== 'VariableDeclaration' || statement.kind !== 'const') return [];
    return statement.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init && !PLAIN.test(init.type) ? [[init.start, init.end] as const] : [],
    );
  });
}
const PLAIN = /^(?:Literal|ArrowFunctionExpression|FunctionExpression)$/;
