import { isPlaceholder } from '../placeholders.ts';
import type { Span } from '../span.ts';

const SECRET = /^[ \t]{0,8}["']?kind["']?:[ \t]{0,4}["']?(?:Secret|SecretList)\b/m;
const DATA = /^([ \t]{0,12})["']?(?:data|stringData)["']?:[ \t]{0,8}\r?$/gm;
const VALUE = /^([ \t]{1,40})["']?[\w.-]{1,200}["']?:[ \t]{1,8}["']?([^\s"'|>#{}][^\n"']{3,8000})/;

/** The values of a cluster's secrets, whatever their names. */
export function findInManifests(text: string): Span[] {
  if (!text.includes('Secret') || !SECRET.test(text)) return [];
  const found: Span[] = [];
  for (const data of text.matchAll(DATA)) {
    const indent = (data[1] ?? '').length;
    let at = data.index + data[0].length + 1;
    while (at < text.length) {
      const newline = text.indexOf('\n', at);
      const end = newline < 0 ? text.length : newline;
      const line = text.slice(at, end);
      const match = VALUE.exec(line.slice(0, 9000));
      if (line.trim() !== '' && (match?.[1]?.length ?? line.search(/\S/)) <= indent) break;
      const [whole = '', , rest = ''] = match ?? [];
      const value = rest.trimEnd();
      if (value !== '' && !isPlaceholder(value)) {
        const start = at + whole.length - rest.length; // its name may contain the same text
        found.push({ start, end: start + value.length });
      }
      at = end + 1;
    }
  }
  return found;
}
