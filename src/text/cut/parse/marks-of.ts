import type treeSitter from '@vscode/tree-sitter-wasm';
import type { Span } from '../../secrets/span.ts';
import { isMarkKind, type Mark } from '../marks.ts';
import { type Node, toldApart } from './told-apart.ts';

/** Captures that describe another one. */
const HELPERS = new Set(['name', 'owner', 'title']);

/** Returns the marks for which the matches of a query stand. */
export function marksOf(matches: ReturnType<InstanceType<typeof treeSitter.Query>['matches']>): Mark[] {
  const marks: Mark[] = [];
  for (const { captures } of matches) {
    const found = captures.find(({ name }) => !HELPERS.has(name));
    if (!found) continue;
    const helpers = Object.fromEntries(captures.filter((one) => one !== found).map(({ name, node }) => [name, node]));
    for (const { kind, node, name, owner, title } of toldApart({ ...helpers, kind: found.name, node: found.node })) {
      if (!isMarkKind(kind)) throw new Error(`a query finds an unknown kind: ${kind}`);
      marks.push({
        kind,
        ...spanOf(node),
        ...(name && { name: spanOf(name) }),
        ...(owner && { owner: spanOf(owner) }),
        ...(title && { title: spanOf(title) }),
      });
    }
  }
  return marks;
}

function spanOf({ startIndex, endIndex }: Node): Span {
  return { start: startIndex, end: endIndex };
}
