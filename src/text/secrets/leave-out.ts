import { LEFT_OUT } from '../../core/text/left-out.ts';
import type { Span } from './span.ts';

/** Puts `[secret left out]` in place of some parts of a text, on each of their lines. @param spans in order, apart from one another */
export function leaveOut(text: string, spans: readonly Span[]): string {
  let at = 0;
  let left = '';
  for (const { start, end } of spans) {
    const lines = text.slice(start, end).split(/(\r\n|\n|\r)/);
    left += text.slice(at, start) + lines.map((line, place) => (place % 2 === 1 ? line : LEFT_OUT)).join('');
    at = end;
  }
  return left + text.slice(at);
}
