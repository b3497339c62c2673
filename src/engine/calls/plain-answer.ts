import type { ModelAnswer, ModelRequest } from '../../core/ports/model.ts';
import type { ToolCall } from '../../core/ports/tool.ts';
import { withoutReasoning } from '../../core/text/reasoning.ts';

/** An answer without what its server left in its text, and what the model wrote where that is more. */
export interface PlainAnswer {
  readonly answer: ModelAnswer;
  readonly words?: string;
}

/** The marks of several servers and models around the uses of tools. */
const AROUND =
  /<\/?tool_calls?>|<\|\/?tool_calls?(?:_begin|_end)?\|?>|\[\/?TOOL_CALLS\]|<\|python_tag\|>|^(?:`{3,}|~{3,})\w*[^\S\n]*$/gim;
const ELEMENT = /^<function=([\w.-]{1,200})>/;
const ELEMENT_END = '</function>';
const PARAMETER = /<parameter=([\w.-]{1,200})>/;
/** The most uses that are looked for. */
const MOST = 100;

/**
 * Takes the reasoning out of an answer's text, and the uses of tools where it is nothing but such.
 * @param newId makes the id of a use
 */
export function plainAnswer(given: ModelAnswer, { tools = [] }: ModelRequest, newId: () => string): PlainAnswer {
  const { text, reasoning } = withoutReasoning(given.text);
  const names = new Set(tools.map(({ name }) => name));
  const uses = given.finish === 'stop' && names.size > 0 ? usesIn(text, names) : undefined;
  if (reasoning === '' && !uses) return { answer: given };
  if (!uses) return { answer: { ...given, text }, words: given.text };
  const toolCalls = uses.map((use): ToolCall => ({ ...use, id: `call_${newId()}` }));
  return { answer: { ...given, text: '', finish: 'tools', toolCalls }, words: given.text };
}

type Use = Pick<ToolCall, 'name' | 'input'>;

/** The uses of these tools that a text consists of; undefined if it says anything else. */
function usesIn(text: string, names: ReadonlySet<string>): readonly [Use, ...Use[]] | undefined {
  const uses: Use[] = [];
  let rest = text.replace(AROUND, ' ').trim();
  while (rest !== '' && uses.length < MOST) {
    const next = elementAt(rest) ?? jsonAt(rest);
    if (!next || next.uses.length === 0 || next.uses.some(({ name }) => !names.has(name))) return undefined;
    uses.push(...next.uses);
    rest = rest.slice(next.length).replace(/^[\s,;]+/, '');
  }
  const [first, ...others] = uses;
  return first && rest === '' ? [first, ...others] : undefined;
}

interface Read {
  readonly uses: readonly Use[];
  readonly length: number;
}

/** A use as some models write it: an element with its parameters, or with JSON. */
function elementAt(text: string): Read | undefined {
  const [tag, name] = ELEMENT.exec(text) ?? [];
  const end = text.indexOf(ELEMENT_END);
  if (tag === undefined || name === undefined || end < 0) return undefined;
  const inside = text.slice(tag.length, end);
  const [before = '', ...pairs] = inside.split(PARAMETER);
  const input: Record<string, unknown> = {};
  for (let at = 0; at + 1 < pairs.length; at += 2)
    input[pairs[at] as string] = jsonOr((pairs[at + 1]?.split('</parameter>')[0] ?? '').trim());
  const isPlain = pairs.length === 0 && before.trim() !== '';
  return { uses: [{ name, input: isPlain ? jsonOr(before.trim()) : input }], length: end + ELEMENT_END.length };
}

function jsonAt(text: string): Read | undefined {
  const length = endOfJson(text);
  const value = length > 0 ? jsonOr(text.slice(0, length)) : undefined;
  const all = Array.isArray(value) ? value : [value];
  const uses = all.flatMap((each) => useFrom(each) ?? []);
  return uses.length === all.length ? { uses, length } : undefined;
}

/** The use that an object describes: a name, and arguments under one of a few names, and nothing else that matters. */
function useFrom(said: unknown): Use | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(said));
  const inner = fields.get('function');
  if (typeof inner === 'object') return useFrom(inner);
  const name = fields.get('name') ?? inner;
  const input = ['arguments', 'parameters', 'input', 'args'].map((key) => fields.get(key)).find((each) => each != null);
  if (typeof name !== 'string' || input === undefined) return undefined;
  return { name, input: typeof input === 'string' ? jsonOr(input) : input };
}

/** Where the brackets are closed with which a text begins; 0 if it begins with none, or they never are. */
function endOfJson(text: string): number {
  if (!/^[[{]/.test(text)) return 0;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const each = text[at];
    if (isText && each === '\\') at++;
    else if (each === '"') isText = !isText;
    else if (isText) continue;
    else if (each === '[' || each === '{') depth++;
    else if ((each === ']' || each === '}') && --depth === 0) return at + 1;
  }
  return 0;
}

/** A text as JSON, or as it is where it is none. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
