import { oneLine } from '../../../core/text/text.ts';
import type { PickData } from './prompt-data.ts';

/** Asks which open leaves come next; they are numbered in the outline, or below it where that has no room for them. */
export function pickPrompt(data: PickData): string {
  const others = data.candidates.flatMap(({ title, path, score, isInOutline }, at) => {
    const expected = score === undefined ? '' : `, expected ${score}`;
    return isInOutline
      ? []
      : [
          `- [${at + 1}] ${oneLine(title, 100)} (below ${path.split('/').slice(0, -1).join(' > ') || 'the question'}${expected})`,
        ];
  });
  const rest =
    others.length > 0 ? `\n\nFurther numbered topics, which the tree above has no room for:\n${others.join('\n')}` : '';
  const wanted =
    data.limit === 1
      ? 'Select the one numbered topic that is most important to research next.'
      : `About ${data.worked} of the ${data.candidates.length} numbered topics will be researched. Name those, the most important first, at most ${data.limit}.`;
  return `This is the research tree so far. Each line has a topic, its status, and what it found or why it is wanted; topics that may come next have a number, and what they are expected to add, from 0 to 10.

${data.outline}${rest}

${wanted} What counts is what may change the answer to the question: what is unknown and decides something, what contradicts, what others depend on; not completeness.

A topic that cannot change the answer is dropped, and one that repeats another numbered one is the same as that: nothing is spent on either. Name them only where you are sure.

Answer with numbers inside <output> tags, the order first, then a line for what is dropped and one for what is the same, where there is any:
<output>
order: N, N, N
drop: N
same: N = N
</output>`;
}
