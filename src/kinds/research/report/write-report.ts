import type { Results } from '../../../core/search/events.ts';
import { interimNotice } from '../../../engine/report/interim.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import { whyNothing } from '../../../engine/report/why-nothing.ts';
import { resultsOf } from '../../../engine/results.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import { costSection, openEnds, sourceSection } from './ending-sections.ts';
import { lookedUp, nothingFound } from './looked-up.ts';
import { Material } from './material.ts';
import * as say from './messages.ts';
import { outlineOpening } from './opening.ts';
import { topicSections } from './sections.ts';
import { askForOpening } from './synthesis.ts';
import { topicTree } from './topic-tree.ts';

const LONGEST_QUESTION = 2000;
const LINES_OF_QUESTION = 12;

/**
 * Writes report.md: the answer first, then its basis. At most one call to the model, and a report in any case.
 * @param results the search's results before the report's own call
 * @throws ThoughtTreeError `lease-lost`, or if files cannot be written
 */
export async function writeReport(ctx: SearchContext, results: Results): Promise<void> {
  const material = await Material.gather(ctx);
  const opening = await openingOf(material);
  const spent = resultsOf(ctx.tree, ctx.history.ledger.spend, results.skipped);
  const parts = [
    `# ${plainLine(ctx.file.title, 300) || '?'}`,
    ...interimNotice(ctx),
    ...opening,
    ...question(ctx),
    ...(material.lookup ? topicTree(material) : topicSections(material)),
    ...sourceSection(material),
    // Of a search without topics there is nothing more to say.
    ...(material.lookup && ctx.tree.root.children.length === 0 ? [] : openEnds(material)),
    ...costSection(material, spent),
  ];
  await ctx.store.writeReport(`${parts.join('\n\n')}\n`);
}

/** The question, quoted, unless the title says it all. */
function question(ctx: SearchContext): string[] {
  const { title, prompt } = ctx.file;
  if (prompt.trim() === title.trim()) return [];
  const lines = prompt.slice(0, LONGEST_QUESTION).split(/\r\n|\r|\n/);
  const shown = lines.slice(0, LINES_OF_QUESTION).map((line) => `> ${plainLine(line, LONGEST_QUESTION)}`.trimEnd());
  if (lines.length > shown.length || prompt.length > LONGEST_QUESTION) shown.push('> …');
  return [`## ${ctx.show(say.question())}`, shown.join('\n')];
}

async function openingOf(material: Material): Promise<string[]> {
  const { ctx, survey, digests, lookup } = material;
  if (lookup)
    return survey.documents === 0 && ctx.tree.root.children.length === 0
      ? nothingFound(material, lookup)
      : lookedUp(material, lookup);
  if (survey.documents === 0)
    return [ctx.show(whyNothing(ctx) ?? (ctx.tree.root.listed ? say.nothing() : say.nothingListed()))];
  if (ctx.model.prose === false || ctx.closing.isInterim || digests.length === 0)
    return outlineOpening(material, say.outlineOnly());
  const opening = await askForOpening(material);
  return 'text' in opening ? [opening.text] : outlineOpening(material, say.noOpening({ why: opening.why }));
}
