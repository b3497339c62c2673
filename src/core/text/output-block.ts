/** Text inside the last `<output>…</output>` of an answer, without a code fence around it; undefined if there is none. */
export function lastOutput(answer: string): string | undefined {
  const end = answer.lastIndexOf('</output>');
  if (end < 0) return undefined;
  const start = answer.lastIndexOf('<output>', end);
  if (start < 0) return undefined;
  return withoutFence(answer.slice(start + '<output>'.length, end).trim());
}

/** The text inside a Markdown code fence, if the whole text is one. */
export function withoutFence(text: string): string {
  const fence = /^(?:`{3,}|~{3,})/.exec(text)?.[0];
  const closed = text.trimEnd();
  const begin = text.indexOf('\n') + 1;
  if (!fence || begin === 0 || !closed.endsWith(fence) || closed.length - fence.length < begin) return text;
  return closed.slice(begin, -fence.length).trim();
}
