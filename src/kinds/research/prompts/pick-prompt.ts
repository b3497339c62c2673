import type { PickData } from './prompt-data.ts';

/** Asks which open leaves come next. */
export function pickPrompt(data: PickData): string {
  const candidates = data.candidates.map(({ path }) => `- ${path}`).join('\n');
  const [wanted, order] =
    data.limit === 1
      ? ['Select the one candidate that is most important to research next', 'its path']
      : [
          `Rank the candidates to research next, up to ${data.limit} of them`,
          'the ranking, most important first, one path a line, each',
        ];
  return `This is the research tree so far:

${data.outline}

Candidates, by path:

${candidates}

${wanted}. Weigh what the tree does not cover yet, which topics others depend on, and what is foundational before what is advanced.

Give ${order}, exactly as it appears in the list of candidates, inside <output> tags:
<output>
${data.candidates[0]?.path ?? ''}
</output>`;
}
