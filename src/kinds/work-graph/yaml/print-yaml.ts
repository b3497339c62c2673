import { Document, isScalar, type Scalar, visit, YAMLSeq } from 'yaml';

// This writes new YAML. Programs that read line by line, not YAML, are the reason for the form: a text is on one line,
// a list of texts is in brackets, a list of mappings is indented below its key.

/** Quotes what older readers take for a date or a yes. */
const OPTIONS = { schema: 'core', version: '1.2', compat: 'yaml-1.1', aliasDuplicateObjects: false } as const;
const STYLE = {
  lineWidth: 0,
  blockQuote: false,
  singleQuote: false,
  doubleQuotedMinMultiLineLength: 1_000_000_000,
  flowCollectionPadding: false,
} as const;

/** Returns a value as a block, each line ending with a line feed. */
export function blockYaml(value: unknown): string {
  const document = new Document(value, OPTIONS);
  visit(document, {
    Seq: (_, list) => {
      list.flow = list.items.every((item) => isScalar(item));
    },
    Scalar: (_, scalar) => quoteLines(scalar),
  });
  return document.toString(STYLE);
}

/**
 * A value on one line.
 * @param isInFlow whether it will be between brackets
 * @param quotes those of a text that it replaces
 */
export function inlineYaml(value: unknown, isInFlow: boolean, quotes?: Scalar.Type): string {
  const document = new Document(undefined, OPTIONS);
  const list = new YAMLSeq();
  const node = document.createNode(value);
  if (isScalar(node) && typeof value === 'string' && (quotes === 'QUOTE_DOUBLE' || quotes === 'QUOTE_SINGLE'))
    node.type = quotes;
  list.items.push(node);
  list.flow = isInFlow || !isScalar(node);
  visit(list, { Scalar: (_, scalar) => quoteLines(scalar) });
  const written = new Document<YAMLSeq>(undefined, OPTIONS);
  written.contents = list;
  const text = written.toString(STYLE).trim();
  return (list.flow ? text.slice(1, -1) : text.slice(1)).trim();
}

/** Only in double quotes can a text of several lines be on one line. */
function quoteLines(scalar: Scalar): void {
  if (typeof scalar.value === 'string' && scalar.value.includes('\n')) scalar.type = 'QUOTE_DOUBLE';
}
