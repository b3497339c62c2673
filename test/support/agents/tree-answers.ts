/** How each kind of prompt of a research search begins. */
const PROMPTS = [
  'Write the document on',
  'Divide the question',
  'List the subtopics of',
  'Rank the candidates',
] as const;
const TOPICS = ['Alder', 'Birch'];

/** Returns the last prompt of a research search in a text, in which earlier ones come before it, and its topic. */
export function lastAsked(
  text: string,
): { readonly kind: (typeof PROMPTS)[number]; readonly topic: string } | undefined {
  const places = PROMPTS.map((kind) => ({ kind, at: text.lastIndexOf(kind) })).sort((a, b) => b.at - a.at);
  const [last] = places;
  if (!last || last.at < 0) return undefined;
  return { kind: last.kind, topic: /"([^"]*)"/.exec(text.slice(last.at))?.[1] ?? '' };
}

/** Returns the answer to it: topics with two each below, and in each document a word of its own, `w-TOPIC`. */
export function answerTo(text: string, topics: readonly string[] = TOPICS): string {
  const { kind, topic = '' } = lastAsked(text) ?? {};
  if (kind === 'Write the document on')
    return `---\ntitle: ${topic}\nsummary: About it.\n---\n\nThe word of ${topic} is w-${topic}.\n`;
  if (kind === 'Divide the question') return listOf(topics);
  if (kind === 'List the subtopics of') return listOf(TOPICS.includes(topic) ? [`${topic} leaf`, `${topic} root`] : []);
  if (kind === undefined) return 'The trees were looked at.';
  const paths = text.match(/^- \w+\/\S+$/gm) ?? [];
  return `<output>\n${paths.map((path) => path.slice(2)).join('\n')}\n</output>`;
}

function listOf(titles: readonly string[]): string {
  return `<output>${JSON.stringify(titles.map((title) => ({ title })))}</output>`;
}
