import { dump, load } from 'js-yaml';
import * as z from 'zod';
import * as say from '../messages/answers.ts';
import type { Arg } from '../messages/message.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../search/errors.ts';
import { oneLine } from './text.ts';

/** The longest document that is read or accepted, in characters. */
const LONGEST_DOCUMENT = 1_000_000;
/** Also bounds the time: the library is quadratic for some texts. */
export const LONGEST_FRONT_MATTER = 16_000;
const LONGEST_SUMMARY = 300;

/** A document's parts. `data` is its front matter, checked to be a mapping of bounded size. */
export interface ParsedDocument {
  readonly data: Record<string, unknown>;
  readonly body: string;
}

const FrontMatter = z.record(z.string(), z.unknown());

/**
 * Splits a document into front matter and body.
 * @throws ThoughtTreeError `bad-answer` saying what is wrong with its front matter
 */
export function parseDocument(text: string): ParsedDocument {
  if (text.length > LONGEST_DOCUMENT) throw new ThoughtTreeError('bad-answer', say.documentTooLong());
  const source = withPlainEnds(text).replace(/^---[^\S\n]+\n/, '---\n');
  if (!/^---(?!-)/.test(source)) return { data: {}, body: source };
  if (!source.startsWith('---\n')) throw new ThoughtTreeError('bad-answer', say.frontMatterBegin());
  const end = source.indexOf('\n---', 3);
  const closing = end < 0 ? null : /^\n---[^\S\n]*(?:\n|$)/.exec(source.slice(end, end + 100));
  if (!closing) throw new ThoughtTreeError('bad-answer', say.frontMatterOpen());
  if (end > LONGEST_FRONT_MATTER) throw new ThoughtTreeError('bad-answer', say.frontMatterTooLong());
  return { data: readFrontMatter(source.slice(4, end)), body: source.slice(end + closing[0].length) };
}

function withPlainEnds(text: string): string {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  return plain.includes('\r') ? plain.replaceAll('\r\n', '\n') : plain;
}

/** @param yaml the lines between the two of hyphens; empty, or only comments: no fields. The first is line 2 in errors. */
function readFrontMatter(yaml: string): Record<string, unknown> {
  try {
    const isEmpty = yaml.split('\n').every((line) => /^\s*(?:#|$)/.test(line));
    const checked = FrontMatter.parse(isEmpty ? {} : (load(`\n${yaml}`) ?? {}));
    // Aliases are shared, so a few lines of YAML can expand to gigabytes.
    if (!boundedSize(checked)) throw notYaml(say.tooLarge());
    return checked;
  } catch (error) {
    if (isThoughtTreeError(error)) throw error;
    throw notYaml(error instanceof z.ZodError ? say.notAMapping() : firstLine(error), error);
  }
}

function notYaml(why: Arg, cause?: unknown): ThoughtTreeError {
  return new ThoughtTreeError('bad-answer', say.frontMatterNotYaml({ why }), { cause });
}

/** Tells whether a value, written out in full, stays within a bound; counts shared parts each time they occur. */
function boundedSize(value: unknown): boolean {
  let left = LONGEST_FRONT_MATTER * 2;
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const each = stack.pop();
    left -= typeof each === 'string' ? each.length + 2 : 8;
    if (left < 0) return false;
    if (Array.isArray(each)) for (const item of each) stack.push(item);
    else if (typeof each === 'object' && each !== null)
      for (const [key, item] of Object.entries(each)) stack.push(key, item);
  }
  return true;
}

function firstLine(error: unknown): string {
  return oneLine(String(error instanceof Error ? error.message : error).split('\n')[0] ?? '', 200).replace(/\.$/, '');
}

/** A document in the form in which it is kept: front matter with at least title and summary, then the body. */
export interface CheckedDocument extends ParsedDocument {
  readonly text: string;
  readonly title: string;
  readonly summary: string;
}

/**
 * A model's answer as a document: the whole answer without an outer code fence; title and summary are added if they are
 * missing.
 * @param schema a further check of the front matter
 * @throws ThoughtTreeError `bad-answer` saying what is wrong, in words for the model
 */
export function checkDocument(answer: string, fallbackTitle: string, schema?: z.ZodType): CheckedDocument {
  // A lone surrogate cannot be kept in a file, and what is kept has to equal what is returned here.
  const { data, body } = parseDocument(withoutOuterFence(withPlainEnds(answer.toWellFormed()).trim()));
  if (body.trim() === '') throw new ThoughtTreeError('bad-answer', say.noText());
  if (/^<output>/i.test(body.trim()) && /<\/output>$/i.test(body.trim()))
    throw new ThoughtTreeError('bad-answer', say.outputTags());
  if (schema) checkSchema(data, schema);
  const title = oneLine(text(data['title']) ?? '', 200) || oneLine(fallbackTitle, 200);
  const summary = oneLine(text(data['summary']) ?? '', LONGEST_SUMMARY) || firstParagraph(body) || title;
  const { title: _t, summary: _s, ...others } = data;
  const whole = { title, summary, ...others };
  const written = writeDocument(whole, body);
  // Front matter can grow when written: what could not be read back is not accepted.
  if (written.length > LONGEST_DOCUMENT || written.length - body.length > LONGEST_FRONT_MATTER)
    throw new ThoughtTreeError('bad-answer', say.documentOrFrontMatter());
  return { title, summary, text: written, data: whole, body: withoutEmptyEnds(body) };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function withoutOuterFence(answer: string): string {
  const fence = /^(`{3,}|~{3,})(?:markdown|md)?[^\S\n]*\n(---\n[\s\S]*)\n\1$/.exec(answer);
  return fence?.[2] ?? answer;
}

function checkSchema(data: Record<string, unknown>, schema: z.ZodType): void {
  const result = schema.safeParse(data);
  if (!result.success)
    throw new ThoughtTreeError('bad-answer', say.wrongFrontMatter({ why: z.prettifyError(result.error) }));
}

/** Front matter and body as one text; deterministic. */
export function writeDocument(data: Record<string, unknown>, body: string): string {
  const front = Object.keys(data).length > 0 ? `---\n${dump(data, { lineWidth: -1 })}---\n` : '';
  return `${front}\n${withoutEmptyEnds(body)}\n`;
}

/** Returns a body without empty lines around it; its first line keeps its indentation. */
function withoutEmptyEnds(body: string): string {
  return body.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}

/** Returns the first paragraph of prose in a Markdown text, as one line. */
export function firstParagraph(body: string): string {
  for (const block of body.split(/\n\s*\n/)) {
    const plain = block.trim();
    if (plain !== '' && !/^(#|```|~~~|\||>|<|[-*+] |\d+\. |---)/.test(plain)) return oneLine(plain, LONGEST_SUMMARY);
  }
  return '';
}

/** Parses a document; one whose front matter cannot be read, as a person's need not be valid, is text as a whole. */
export function parseLeniently(document: string): ParsedDocument {
  try {
    return parseDocument(document);
  } catch {
    return { data: {}, body: document };
  }
}
