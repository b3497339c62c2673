import {
  CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  parseAllDocuments,
  visit,
} from 'yaml';
import type { Message } from '../../../core/messages/message.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { isRecord } from '../../../core/text/loose-json.ts';
import { oneLine } from '../../../core/text/text.ts';
import * as say from '../exchange/messages.ts';

/** The longest YAML that is read, in characters. */
const LONGEST_YAML = 1_000_000;

/** Where YAML comes from, for errors. */
export interface YamlSource {
  readonly file: string;
  /** Lines of the file before it. */
  readonly linesBefore?: number;
}

/** One YAML document: no aliases, no key twice, all keys are plain texts or numbers. */
export interface ReadYaml {
  readonly document: Document.Parsed;
  /** As plain data. */
  readonly value: unknown;
  /** The line, from 1, of the value at a path, or of what is nearest above it. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

/** Schema 1.2 whatever the text says of itself: no dates, no binary data, no merged keys, `yes` is a text. */
const OPTIONS = {
  schema: 'core',
  version: '1.2',
  strict: true,
  uniqueKeys: false,
  prettyErrors: false,
  keepSourceTokens: true,
} as const;

/** @throws ThoughtTreeError `damaged` with file and line, saying what to do */
export function readYaml(text: string, source: YamlSource): ReadYaml {
  if (text.length > LONGEST_YAML) throw wrongAt(source, 1, say.tooLong({ most: LONGEST_YAML }));
  const deep = tooDeepAt(text);
  if (deep !== undefined) throw wrongAt(source, text.slice(0, deep).split('\n').length, say.yamlTooDeep());
  const counter = new LineCounter();
  const lineAt = (offset: number) => Math.max(1, counter.linePos(offset).line);
  const documents = parseAllDocuments(text, { ...OPTIONS, lineCounter: counter });
  const document = 'empty' in documents ? undefined : documents[0];
  if (!document) throw wrongAt(source, 1, say.yamlNotMapping());
  const [error] = document.errors;
  if (error) throw wrongAt(source, lineAt(error.pos[0]), say.notYaml({ why: oneLine(error.message, 200) }));
  const second = 'empty' in documents ? undefined : documents[1];
  if (second) throw wrongAt(source, lineAt(document.range[2]), say.twoDocuments());
  checkNodes(document, (offset, why) => wrongAt(source, lineAt(offset), why));
  return {
    document,
    value: document.toJS(),
    lineOf: (path) => lineAt(offsetOf(document, path)) + (source.linesBefore ?? 0),
  };
}

/** Returns an error about a line of the YAML itself, from 1. */
function wrongAt({ file, linesBefore = 0 }: YamlSource, line: number, why: Message): ThoughtTreeError {
  return wrongLine(file, line + linesBefore, why);
}

/** @param line from 1, of the file */
export function wrongLine(file: string, line: number, why: Message): ThoughtTreeError {
  return new ThoughtTreeError('damaged', say.wrongAt({ file, line: String(line), why }), { file, line });
}

function checkNodes(document: Document.Parsed, wrong: (offset: number, why: Message) => ThoughtTreeError): void {
  visit(document, (_, node) => {
    if (isAlias(node)) throw wrong(node.range?.[0] ?? 0, say.alias({ name: oneLine(node.source, 40) }));
    if (!isMap(node)) return;
    const keys = new Set<string>();
    for (const { key } of node.items) {
      const at = isNode(key) ? (key.range?.[0] ?? 0) : 0;
      const name = isScalar(key) ? nameOf(key.value) : undefined;
      if (name === undefined || name === '__proto__') throw wrong(at, say.wrongKey());
      if (keys.has(name)) throw wrong(at, say.twice({ key: oneLine(name, 100) }));
      keys.add(name);
    }
  });
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Returns where the value at a path begins: of a pair, its key. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = rangeOf(node) ?? 0;
  for (const part of path) {
    const next = partOf(node, part);
    if (next === undefined) break;
    offset = rangeOf(isPair(next) ? next.key : next) ?? offset;
    node = isPair(next) ? next.value : next;
  }
  return offset;
}

/** Returns an item of a list, or a pair of a mapping. */
function partOf(node: unknown, part: PropertyKey): unknown {
  if (isMap(node)) return node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
  const items = isNode(node) && 'items' in node && Array.isArray(node.items) ? (node.items as unknown[]) : [];
  return typeof part === 'number' ? items[part] : undefined;
}

function rangeOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

/** Plain data of YAML or JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns a field of a mapping; undefined of anything else, and of what every object has. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Levels of `[` and `{`, and of `-` and `?` on one line. */
const MOST_LEVELS = 40;
/** Blanks before a line; each level of a block takes at least one. */
const DEEPEST_INDENT = 120;

/**
 * Where YAML is nested more deeply than can be parsed, as an offset; undefined if it is not. The parser descends by
 * recursion and may end the whole process; the lexer does not.
 */
function tooDeepAt(text: string): number | undefined {
  let offset = 0;
  let flow = 0;
  let onLine = 0;
  let isLineStart = true;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (type === 'flow-seq-start' || type === 'flow-map-start') flow++;
    else if (type === 'flow-seq-end' || type === 'flow-map-end') flow = Math.max(0, flow - 1);
    else if (type === 'newline') onLine = 0;
    else if (type === 'seq-item-ind' || type === 'explicit-key-ind' || (type === 'map-value-ind' && flow === 0))
      onLine++;
    const isDeep = isLineStart && type === 'space' && token.length > DEEPEST_INDENT;
    if (isDeep || flow > MOST_LEVELS || onLine > MOST_LEVELS) return offset;
    isLineStart = type === 'newline' && flow === 0;
    if (!MARKS.has(token)) offset += token.length;
  }
  return undefined;
}

/** Tokens of the lexer that are not in the text: the start of a document, its end in flow style, a scalar follows. */
const MARKS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f']);
