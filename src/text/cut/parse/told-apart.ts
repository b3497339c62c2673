import type treeSitter from '@vscode/tree-sitter-wasm';

export type Node = Parameters<InstanceType<typeof treeSitter.Query>['matches']>[0];

/** A match of a query, with the nodes that describe it; the kind is named after the capture. */
export interface Found {
  readonly kind: string;
  readonly node: Node;
  readonly name?: Node | undefined;
  readonly owner?: Node | undefined;
  readonly title?: Node | undefined;
}

const FUNCTIONS = new Set(['arrow_function', 'function_expression', 'generator_function']);

// Tree-sitter takes most of the time it needs for a grammar to compile the few patterns of a query that look into
// expressions. So queries only find these, and what they are is looked at here.
const TOLD_APART: Readonly<Record<string, (found: Found) => Found[]>> = { field, call, assignment };

/** Tells what a match stands for: itself, or what a field, call or assignment of JavaScript is, if anything. */
export function toldApart(found: Found): Found[] {
  return TOLD_APART[found.kind]?.(found) ?? [found];
}

/** A field of a class is a member if its value is a function. */
function field({ node }: Found): Found[] {
  const name = node.childForFieldName('name');
  const value = node.childForFieldName('value');
  return name && value && FUNCTIONS.has(value.type) ? [{ kind: 'member', node, name }] : [];
}

/** A call whose first argument is a string imports a file, or is a block (a test) if a function follows. */
function call({ node, name, title }: Found): Found[] {
  const found: Found[] = [];
  if (name?.type === 'import' || (name?.type === 'identifier' && name.text === 'require')) {
    const imported = title?.namedChildren.find((part) => part?.type === 'string_fragment');
    if (imported) found.push({ kind: 'import', node: imported });
  }
  const others = node.childForFieldName('arguments')?.namedChildren ?? [];
  if (others.some((other) => other?.type === 'arrow_function' || other?.type === 'function_expression'))
    found.push({ kind: 'block', node, name, title });
  return found;
}

/** An assignment is the function or class that is given; what a file gives to a member is a constant. */
function assignment({ node }: Found): Found[] {
  const name = node.childForFieldName('left');
  const value = node.childForFieldName('right');
  if (!name || !value) return [];
  if (FUNCTIONS.has(value.type)) return [{ kind: 'function', node, name }];
  if (name.type !== 'member_expression') return [];
  if (value.type === 'class') return [{ kind: 'class', node, name }];
  const statement = node.parent;
  const isOfFile = statement?.type === 'expression_statement' && statement.parent?.type === 'program';
  return isOfFile ? [{ kind: 'constant', node, name }] : [];
}
