/** What a request of a search for a solution says, as a model reads it. */
export interface ThoughtRequest {
  readonly type: 'decompose' | 'generate' | 'evaluate';
  /** The steps of its path; of several paths, those of the last. */
  readonly path: readonly string[];
  /** What was already proposed. */
  readonly earlier: readonly string[];
  /** How many thoughts are wanted. */
  readonly count: number;
  readonly candidates: readonly { readonly id: string; readonly content: string }[];
}

/** Reads a request from its words alone. */
export function readThoughtRequest(prompt: string): ThoughtRequest {
  const path = [...prompt.matchAll(/<path>\n([\s\S]*?)\n<\/path>/g)].at(-1)?.[1] ?? '';
  const earlier = /^Already proposed as step [^\n]*\n([\s\S]*?)\n\nPropose/m.exec(prompt)?.[1] ?? '';
  const candidates = [...prompt.matchAll(/<candidate id="([^"]+)"[^>]*>\n([\s\S]*?)\n<\/candidate>/g)];
  const count = Number(/^Propose up to (\d+) thoughts/m.exec(prompt)?.[1] ?? 1);
  const type = candidates.length > 0 ? 'evaluate' : /^Propose /m.test(prompt) ? 'generate' : 'decompose';
  return {
    type,
    path: inside(path, 'step'),
    earlier: inside(earlier, 'thought').map((text) => text.split('\nAgainst it: ')[0] as string),
    count,
    candidates: candidates.map(([, id = '', content = '']) => ({ id, content })),
  };
}

function inside(text: string, tag: string): string[] {
  return [...text.matchAll(new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`, 'g'))].map(([, content = '']) => content);
}
