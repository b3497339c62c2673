/** Yields the lines of a body as they come, without their ends; the last one needs none. */
export async function* linesOf(body: AsyncIterable<Uint8Array> | null): AsyncIterable<string> {
  const decoder = new TextDecoder();
  // Only new text is searched, or an endless line would be searched again with each chunk.
  let rest: string[] = [];
  let endedWithReturn = false;
  for await (const chunk of body ?? []) {
    let text = decoder.decode(chunk, { stream: true });
    if (endedWithReturn && text.startsWith('\n')) text = text.slice(1);
    if (text === '') continue;
    endedWithReturn = text.endsWith('\r');
    const [first = '', ...others] = text.split(/\r\n|\n|\r/);
    rest.push(first);
    if (others.length === 0) continue;
    yield rest.join('');
    rest = [others.pop() ?? ''];
    yield* others;
  }
  const last = rest.join('');
  if (last !== '') yield last;
}
