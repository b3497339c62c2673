import { message } from './message.ts';

// The faults of a model's answer. These exact words go back to the model, so that it can correct the answer.

export const wrongList = message('answer.wrong-list', 'The list is not in the form asked for: {why}');
export const notJson = message('answer.no-data', 'The <output> block holds no JSON.');
export const empty = message('answer.empty', 'The answer is empty.');
export const noPaths = message('answer.no-paths', 'There is no <output>…</output> block with the paths in the answer.');
export const noCandidate = message(
  'answer.no-candidate',
  'None of the lines in the <output> block is the path of a candidate.',
);
export const noThoughts = message('answer.no-thoughts', 'The <output> block does not contain a list of thoughts.');
export const noContent = message('answer.no-content', 'Every thought needs a "content" with the text of the step.');
export const noEvaluations = message(
  'answer.no-evaluations',
  'The <output> block does not contain a list of evaluations.',
);
export const noEvaluationOf = message(
  'answer.no-evaluation-of',
  'There is no evaluation with a score from 0 to 10 for {ids}.',
);
export const noBetter = message(
  'answer.no-better',
  'The <output> block does not say which one is "better": "A", "B" or "neither".',
);
export const noDefects = message(
  'answer.no-defects',
  'The <output> block does not contain a list of "defects"; it may be empty.',
);
export const wrongDecomposition = message(
  'answer.wrong-decomposition',
  'The decomposition is not in the form asked for: {why}',
);
export const noJson = message('answer.no-json', 'There is no <output>…</output> block with JSON in the answer.');
export const answerTooLong = message('answer.too-long', 'The answer is too long.');

export const documentTooLong = message('answer.document-too-long', 'The document is too long.');
export const frontMatterBegin = message(
  'answer.front-matter-begin',
  'The front matter must begin with a line of three hyphens and nothing else.',
);
export const frontMatterOpen = message(
  'answer.front-matter-open',
  'The front matter is not closed by a line of three hyphens.',
);
export const frontMatterTooLong = message('answer.front-matter-too-long', 'The front matter is too long.');
export const frontMatterNotYaml = message(
  'answer.front-matter-not-yaml',
  'The front matter cannot be read as YAML: {why}.',
);
export const tooLarge = message('answer.too-large', 'it is too large');
export const notAMapping = message('answer.not-a-mapping', 'it is not a mapping of names to values');
export const noText = message('answer.no-text', 'The document has no text below its front matter.');
export const outputTags = message(
  'answer.output-tags',
  'This is not a document: give the text itself, without <output> tags.',
);
export const wrongFrontMatter = message(
  'answer.wrong-front-matter',
  'The front matter is not in the form asked for: {why}',
);
export const documentOrFrontMatter = message(
  'answer.document-or-front-matter',
  'The document, or its front matter, is too long.',
);
