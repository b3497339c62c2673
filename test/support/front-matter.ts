import assert from 'node:assert/strict';
import { parse } from 'yaml';

/** Reads a document's front matter, by another reader of YAML than the product uses for it, and the text below. */
export function frontMatter(document: string): { readonly data: Record<string, string>; readonly content: string } {
  const [, data, content] = /^---\n(.*?)\n---\n(.*)$/s.exec(document) ?? [];
  assert.ok(data !== undefined && content !== undefined, `no front matter: ${document.slice(0, 200)}`);
  return { data: parse(data) as Record<string, string>, content };
}
