// What a model might say, from the words of the conversation alone: it grows the same tree each time.

const { thoughtsFor } = require('./scripted-thoughts.cjs');

const FIRST_LEVEL = ['Storage', 'Network', 'Startup'];

/**
 * The answer to the last of the user's texts: a document, a list of topics, a ranking, an opening, or an echo.
 * @param {readonly string[]} said the user's texts, oldest first
 * @param {{ depth: number, fanout: number }} tree how deep topics go, and how many subtopics each has
 */
exports.answerTo = (said, { depth, fanout }) => {
  const prompt = said.at(-1) ?? '';
  // The system text goes before the first of the user's texts, and these requests have no other.
  const thoughts = thoughtsFor(prompt);
  if (thoughts !== undefined) return thoughts;
  if (/Divide the question into its topics/.test(prompt)) return list(FIRST_LEVEL);
  const parent = /List the subtopics of "(.+)"/.exec(prompt)?.[1];
  if (parent !== undefined) {
    const level = said.filter((text) => /List the subtopics of "/.test(text)).length;
    const count = level < depth ? fanout : 0;
    return list(Array.from({ length: count }, (_, i) => `${parent} ${i + 1}`));
  }
  const topic = /Write the document on (?:the topic )?"(.+)"/.exec(prompt)?.[1];
  if (topic !== undefined) return documentOn(topic);
  const candidates = candidatesIn(prompt);
  if (candidates.length > 0) return `<output>\n${candidates.join('\n')}\n</output>`;
  if (/The search is over/.test(prompt)) return 'In short: what the question asks for stands in the sections below.';
  return `You said: ${prompt}`;
};

function list(titles) {
  const topics = titles.map((title, i) => ({ title, score: 9 - i, why: `It is part ${i + 1} of the whole.` }));
  return `<output>\n${JSON.stringify(topics)}\n</output>`;
}

function documentOn(topic) {
  const front = `title: ${JSON.stringify(topic)}\nsummary: ${JSON.stringify(`What is known of ${topic}.`)}`;
  return `---\n${front}\n---\n\n# ${topic}\n\nA scripted model wrote this about ${topic}.\n`;
}

function candidatesIn(prompt) {
  return [...prompt.matchAll(/^ *- \[(\d+)\] /gm)].map(([, number]) => number);
}
