// Finds what bundles of one process do not share though their code reads as if they did: each of them has its own copy of a
// module that two of them contain, with a class, a symbol and a state of its own. `npm run build` fails for what is found.
import { readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { type Class, type Node, type Program, parseSync } from 'oxc-parser';

/**
 * What may be there more than once all the same, as `module#name`, and why. Nothing that one bundle puts there may be looked
 * for by another one.
 */
const OWN_TO_A_BUNDLE: Readonly<Record<string, string>> = {
  'src/core/citations/line-references.ts#PARSERS': 'made on first use, and the same everywhere',
  'src/core/text/short-label.ts#words': 'made on first use, and the same everywhere',
  'src/engine/limits.ts#COUNTED': 'a cache: another bundle counts again',
  'src/engine-parts/citations/inert-markdown.ts#whole': 'made on first use, and the same everywhere',
  'src/engine-parts/transcripts/edited-document.ts#UNEDITED': 'a cache: another bundle compares again',
  'src/extension/figures.ts#compact': 'made on first use, and the same everywhere',
  'src/processes/run-process.ts#watched': 'ends what this bundle started; each may have a watcher',
  'src/searches/models/own-prices.ts#last': 'a cache of one file, which is read again each time',
  'src/searches/models/prepare-model.ts#CONTEXTS': 'a memory: another bundle asks a server once more',
  'src/searches/models/prepare-model.ts#REFUSED': 'the same',
  'src/searches/models/prepare-model.ts#TAKEN': 'the same',
  'src/work/commands/agent-sandbox.ts#works': 'the same everywhere: another bundle tries once more',
  'src/text/files/skipped-files.ts#last': 'a cache of one folder',
};

/** What a name at the top of a module means. A class that names its parts is the same in every copy to who asks by name. */
type Top = 'class' | 'class of parts' | 'object' | 'state';

interface Module {
  readonly source: string;
  readonly program: Program;
  /** What is declared at its top, and where. */
  readonly own: Map<string, { readonly top: Top; readonly at: number }>;
  /** What it imports, as `module#name`. */
  readonly imports: Map<string, string>;
}

/** A name that is used in a way that goes wrong where there are two of what it means. */
interface Suspicion {
  readonly name: string;
  readonly at: number;
  readonly why: string;
  /** What it has to mean for that. */
  readonly of: readonly Top[];
}

const CHANGES = new Set('set add delete clear push unshift pop shift splice sort reverse fill'.split(' '));
const LOOKS_UP = new Set('has get set add delete includes indexOf'.split(' '));
const COLLECTIONS = new Set('Map Set WeakMap WeakSet Array Error'.split(' '));
/** What is made once, and neither changed nor compared. */
const VALUES = new Set('RegExp URL Uint8Array Intl MarkdownIt'.split(' '));
/** Functions whose result is a state or a symbol. */
const MAKES_STATE = new Set('Symbol Promise pLimit'.split(' '));

/**
 * Finds what bundles that one process loads should share, and cannot.
 * @param isOwn whether a module is ours: of others, only classes that ours ask for matter
 * @returns a line for each thing, with the module, the name, and the bundles
 */
export function unsharedState(
  { inputs, outputs }: Pick<Metafile, 'inputs' | 'outputs'>,
  isOwn: (path: string) => boolean,
  allowed: Readonly<Record<string, string>> = OWN_TO_A_BUNDLE,
): string[] {
  const doubled = doubledModules(outputs);
  const paths = Object.keys(inputs).filter((path) => isOwn(path) && /\.tsx?$/.test(path));
  const modules = new Map(paths.map((path) => [path, readModule(path, inputs[path]?.imports ?? [])]));
  const found = new Map<string, string>();
  const unneeded = new Set(Object.keys(allowed));
  for (const [path, module] of modules)
    for (const { name, at, why, of } of suspicions(module)) {
      const key = module.own.has(name) ? `${path}#${name}` : (module.imports.get(name) ?? '#');
      const [from = '', original = ''] = key.split('#');
      const bundles = doubled.get(from);
      const top = modules.has(from) ? modules.get(from)?.own.get(original)?.top : 'class of parts';
      if (!bundles || !top || !of.includes(top)) continue;
      unneeded.delete(key);
      const line = module.source.slice(0, at).split('\n').length;
      const what = from === path ? '' : ` of ${from}`;
      if (allowed[key] === undefined)
        found.set(`${path}:${line} ${key}`, `${path}:${line}: ${name}${what} ${why}, and is in ${bundles.join(', ')}`);
    }
  return [...found.values(), ...[...unneeded].map((key) => `${key} is not there more than once`)];
}

/** Returns the bundles of each module that one process loads several copies of. */
function doubledModules(outputs: Metafile['outputs']): Map<string, readonly string[]> {
  const bundles = new Map(Object.entries(outputs).map(([output, about]) => [nameOf(output), about]));
  const loadedBy = (name: string): string[] =>
    (bundles.get(name)?.imports ?? []).filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => nameOf(path));
  const loaded = new Set([...bundles.keys()].flatMap(loadedBy));
  const doubled = new Map<string, readonly string[]>();
  for (const main of [...bundles.keys()].filter((name) => !loaded.has(name))) {
    const together = new Set([main]);
    for (const name of together) for (const next of loadedBy(name)) together.add(next);
    const copies = new Map<string, string[]>();
    for (const name of together)
      for (const [path, { bytesInOutput }] of Object.entries(bundles.get(name)?.inputs ?? {}))
        if (bytesInOutput > 0) copies.set(path, [...(copies.get(path) ?? []), name]);
    for (const [path, names] of copies) if (names.length > 1 && !doubled.has(path)) doubled.set(path, names);
  }
  return doubled;
}

function nameOf(output: string): string {
  return output.slice(output.lastIndexOf('/') + 1);
}

function readModule(path: string, imported: Metafile['inputs'][string]['imports']): Module {
  const source = readFileSync(path, 'utf8');
  const { program } = parseSync(path, source);
  const own: Module['own'] = new Map();
  const imports: Module['imports'] = new Map();
  for (const statement of program.body)
    if (statement.type === 'ImportDeclaration') {
      const from = imported.find(({ original }) => original === statement.source.value)?.path;
      for (const each of statement.specifiers)
        if (each.type === 'ImportSpecifier' && each.imported.type === 'Identifier')
          imports.set(each.local.name, `${from}#${each.imported.name}`);
    } else {
      const declared = 'declaration' in statement && statement.declaration ? statement.declaration : statement;
      if (declared.type === 'ClassDeclaration' && declared.id)
        own.set(declared.id.name, { top: isOfParts(declared) ? 'class of parts' : 'class', at: declared.start });
      if (declared.type !== 'VariableDeclaration') continue;
      for (const { id, init, start } of declared.declarations) {
        const top = declared.kind === 'const' ? topOf(init) : 'state';
        if (id.type === 'Identifier' && top) own.set(id.name, { top, at: start });
      }
    }
  return { source, program, own, imports };
}

/** Tells whether a record finds its instances by a name. */
function isOfParts({ body }: Class): boolean {
  return body.body.some(
    (each) =>
      each.type === 'PropertyDefinition' && each.static && each.key.type === 'Identifier' && each.key.name === 'part',
  );
}

/** Returns what a constant is; undefined where each copy is as good as the other. */
function topOf(init: Node | null): Top | undefined {
  if (init?.type === 'TSAsExpression' || init?.type === 'TSSatisfiesExpression') return topOf(init.expression);
  if (init?.type === 'ObjectExpression' || init?.type === 'ArrayExpression') return 'object';
  if (init?.type !== 'CallExpression' && init?.type !== 'NewExpression') return undefined;
  const { callee } = init;
  const root = callee.type === 'MemberExpression' ? callee.object : callee;
  const name = root.type === 'Identifier' ? root.name : '';
  // The same in every copy.
  if (methodOf(callee) === 'for') return undefined;
  if (init.type === 'CallExpression') return MAKES_STATE.has(name) ? 'state' : undefined;
  return VALUES.has(name) ? undefined : COLLECTIONS.has(name) ? 'object' : 'state';
}

function methodOf(callee: Node): string {
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : '';
}

const ANY_CLASS = ['class', 'class of parts'] as const;

function suspicions({ program, own, imports }: Module): Suspicion[] {
  const found: Suspicion[] = [];
  for (const [name, { top, at }] of own) if (top === 'state') found.push({ name, at, why: 'is a state', of: [top] });
  const add = (node: Node | null, why: string, ...of: Top[]): void => {
    if (node?.type === 'Identifier' && (own.has(node.name) || imports.has(node.name)))
      found.push({ name: node.name, at: node.start, why, of });
  };
  walk(program, (node) => {
    if (node.type === 'BinaryExpression' && node.operator === 'instanceof')
      add(node.right, 'is asked for with instanceof', ...ANY_CLASS);
    else if (node.type === 'BinaryExpression' && /^[!=]==?$/.test(node.operator))
      for (const side of [node.left, node.right]) add(side, 'is compared', 'object', ...ANY_CLASS);
    for (const value of valuesIn(node)) add(value, 'is a value', 'class');
    if (node.type === 'CallExpression' && LOOKS_UP.has(methodOf(node.callee)))
      for (const key of node.arguments) add(key, 'is looked up', 'object');
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && CHANGES.has(methodOf(node.callee)))
      add(node.callee.object, 'is changed', 'object');
    const target = node.type === 'AssignmentExpression' ? node.left : node.type === 'UpdateExpression' && node.argument;
    if (target && target.type === 'MemberExpression') add(target.object, 'is changed', 'object', ...ANY_CLASS);
    if (node.type === 'ClassDeclaration' && node.id && readsOthers(node))
      add(node.id, 'reads private fields of others of it', ...ANY_CLASS);
  });
  return found;
}

/** Returns what is passed on in a call, an array or an object. */
function valuesIn(node: Node): readonly (Node | null)[] {
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return node.arguments;
  if (node.type === 'ArrayExpression') return node.elements;
  return node.type === 'Property' ? [node.value] : [];
}

/** Tells whether instances read what is private to other ones, which those of another copy do not have. */
function readsOthers({ body }: Class): boolean {
  let reads = false;
  // What makes an instance is of the same copy.
  for (const member of body.body)
    if (!('static' in member && member.static))
      walk(member, (node) => {
        if (node.type === 'MemberExpression' && node.property.type === 'PrivateIdentifier')
          reads ||= !isOwn(node.object);
        if (node.type === 'BinaryExpression') reads ||= node.left.type === 'PrivateIdentifier';
      });
  return reads;
}

/** Tells whether it is a field of this very instance, or leads on from one. */
function isOwn(node: Node): boolean {
  return node.type === 'ThisExpression' || (node.type === 'MemberExpression' && isOwn(node.object));
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && typeof node.type === 'string') visit(node as Node);
  for (const each of Object.values(node)) walk(each, visit);
}
