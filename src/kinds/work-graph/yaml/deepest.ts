import { CST, Lexer } from 'yaml';

/** Levels of `[` and `{`, and of `-` and `?` on one line. */
const MOST_LEVELS = 40;
/** Blanks before a line; each level of a block takes at least one. */
const DEEPEST_INDENT = 120;

/**
 * Where YAML is nested more deeply than can be parsed, as an offset; undefined if it is not. The parser descends by
 * recursion and may end the whole process; the lexer does not.
 */
export function tooDeepAt(text: string): number | undefined {
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
