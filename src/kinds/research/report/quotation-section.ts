import { type CitationCounts, type CitationMark, placeText } from '../../../core/citations/citation.ts';
import { markWords } from '../../../core/citations/messages.ts';
import { andMore } from '../../../engine/report/messages.ts';
import { titleOf } from '../../../engine/report/node-text.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import type { Material } from './material.ts';
import * as say from './messages.ts';

const MOST_NAMED = 15;

/** The results of checking the quotations in the documents: how many passed, and those that did not, by name. */
export function quotationSection(material: Material): string[] {
  const counts: CitationCounts = { verified: 0, moved: 0, stale: 0, not_found: 0 };
  for (const { node } of material.digests)
    for (const mark of Object.keys(counts) as CitationMark[]) counts[mark] += node.citations?.[mark] ?? 0;
  const all = counts.verified + counts.moved + counts.stale + counts.not_found;
  if (all === 0) return [];
  const failed = material.digests.flatMap((digest) =>
    digest.quotations
      .filter(({ mark }) => mark === 'stale' || mark === 'not_found')
      .map((record) => ({ record, node: digest.node })),
  );
  const lines = failed.slice(0, MOST_NAMED).map(({ record, node }) => {
    const title = material.isWritten(node) ? material.linkTo(node) : titleOf(node);
    return `- ${plainLine(placeText(record), 200)}, ${material.show(markWords[record.mark]())}: ${title}`;
  });
  if (failed.length > lines.length) lines.push(`- ${material.show(andMore({ more: failed.length - lines.length }))}`);
  return [whole(material, all, counts), ...(lines.length > 0 ? [lines.join('\n')] : [])];
}

function whole(material: Material, count: number, { verified, moved, stale, not_found }: CitationCounts): string {
  const parts = [
    say.inPlace({ count, verified: say.verified({ count: verified }) }),
    ...(moved > 0 ? [say.elsewhere({ quotations: moved })] : []),
    ...(stale > 0 ? [say.outdated({ quotations: stale })] : []),
    ...(not_found > 0 ? [say.notFound({ quotations: not_found })] : []),
  ];
  const sentence = parts.map((part) => material.show(part)).join('; ');
  return `**${material.show(say.quotations())}** ${sentence}.`;
}
