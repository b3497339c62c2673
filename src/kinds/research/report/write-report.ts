import type { Results } from '../../../core/search/events.ts';
import { mendedReport } from '../../../engine/grounding/mended-text.ts';
import { nothingWritten } from '../../../engine/messages.ts';
import { cleanAnswer } from '../../../engine/report/clean-answer.ts';
import { interimNotice } from '../../../engine/report/interim.ts';
import { Places } from '../../../engine/report/places.ts';
import { withReferences } from '../../../engine/report/refer.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import { whyNothing } from '../../../engine/report/why-nothing.ts';
import { isNothing, resultsOf } from '../../../engine/results.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import type { SurveyAnswer } from '../answers/document-answer.ts';
import { surveyOf } from '../list-root.ts';
import type { ResearchSearch } from '../research-search.ts';
import { costSection, openEnds, sourceSection } from './ending-sections.ts';
import { lookedUp, nothingFound } from './looked-up.ts';
import { Material } from './material.ts';
import * as say from './messages.ts';
import { outlineOpening } from './opening.ts';
import { askForOpening, linksFrom } from './synthesis.ts';
import { topicTree } from './topic-tree.ts';

const LONGEST_HEADING = 500;
const LONGEST_QUESTION = 2000;
const LINES_OF_QUESTION = 12;

/**
 * Writes report.md: the answer first, then its basis. At most one call to the model, and a report in any case.
 * @param results the search's results before the report's own call
 * @throws ThoughtTreeError `lease-lost`, or if files cannot be written
 */
export async function writeReport(ctx: ResearchSearch, results: Results): Promise<void> {
  const material = await Material.gather(ctx);
  const opening = await openingOf(ctx, material);
  const spent = resultsOf(ctx.tree, ctx.history.ledger.spend, results.skipped);
  const parts = [
    `# ${plainLine(headingOf(ctx.file), LONGEST_HEADING) || '?'}`,
    ...interimNotice(ctx),
    ...opening,
    ...question(ctx),
    ...topicTree(material),
    ...sourceSection(material),
    // Of a search without topics there is nothing more to say.
    ...(material.lookup && ctx.tree.root.children.length === 0 ? [] : openEnds(material)),
    ...costSection(material, spent),
  ];
  await ctx.store.writeReport(`${parts.join('\n\n')}\n`);
}

/** The question whole, where it is short enough for a heading; a title may have been cut. */
function headingOf({ title, prompt }: SearchContext['file']): string {
  const isOneLine = prompt.trim().length <= LONGEST_HEADING && !/[\r\n]/.test(prompt.trim());
  return isOneLine && prompt.trim().startsWith(title.replace(/…$/, '')) ? prompt.trim() : title;
}

/** The question, quoted, unless the heading says it all. */
function question(ctx: SearchContext): string[] {
  const { prompt } = ctx.file;
  if (prompt.trim() === headingOf(ctx.file).trim()) return [];
  const lines = prompt.slice(0, LONGEST_QUESTION).split(/\r\n|\r|\n/);
  const shown = lines.slice(0, LINES_OF_QUESTION).map((line) => `> ${plainLine(line, LONGEST_QUESTION)}`.trimEnd());
  if (lines.length > shown.length || prompt.length > LONGEST_QUESTION) shown.push('> …');
  return [`## ${ctx.show(say.question())}`, shown.join('\n')];
}

async function openingOf(ctx: ResearchSearch, material: Material): Promise<string[]> {
  const { survey, digests, lookup } = material;
  if (lookup)
    return survey.documents === 0 && ctx.tree.root.children.length === 0
      ? nothingFound(material, lookup)
      : lookedUp(material, lookup);
  const first = ctx.surveys ? await surveyOf(ctx) : undefined;
  const isWritten = survey.documents > 0 && digests.length > 0 && ctx.model.prose !== false && !ctx.closing.isSilent;
  if (isWritten) {
    const opening = await askForOpening(ctx, material, first ?? { text: '', findings: [], open: [] });
    if ('text' in opening) return [opening.text];
    return [
      ...(await provisionalAnswer(material, first)),
      ...outlineOpening(material, say.noOpening({ why: opening.why })),
    ];
  }
  const provisional = await provisionalAnswer(material, first);
  if (survey.documents > 0) return [...provisional, ...outlineOpening(material, say.outlineOnly())];
  const hasFailed = !ctx.closing.isInterim && isNothing({ ...ctx.tree.counts, leaves: ctx.tree.counts.leaf });
  if (hasFailed) return [ctx.show(nothingWritten()), ...provisional];
  if (provisional.length > 0) return provisional;
  return [ctx.show(whyNothing(ctx) ?? (ctx.tree.root.listed ? say.nothing() : say.nothingListed()))];
}

/** The answer that the search began with, where the report has no better one yet; its findings and open questions with it. */
async function provisionalAnswer(material: Material, first: SurveyAnswer | undefined): Promise<string[]> {
  if (!first || first.text === '') return [];
  const { ctx } = material;
  const findings = first.findings.map(
    ({ text, cites: at }) => `- ${text}${at.length > 0 ? ` (${at.join(', ')})` : ''}`,
  );
  const lists = [
    ...(findings.length > 0 ? [`**${ctx.show(say.found())}**`, findings.join('\n')] : []),
    ...(first.open.length > 0
      ? [`**${ctx.show(say.stillUnknown())}**`, first.open.map((each) => `- ${each}`).join('\n')]
      : []),
  ];
  const [text, list] = await Promise.all(
    [first.text, lists.join('\n\n')].map(async (each) => {
      const mended = await mendedReport(ctx.workspaceText, each);
      const places = await Places.lookUp(ctx, [mended]);
      const link = linksFrom(material, new Map());
      const linked = (target: string): string | undefined => (places.has(target) ? target : link(target));
      return cleanAnswer(mended, linked, (body) => withReferences(body, [], places));
    }),
  );
  if (!text || !('text' in text)) return [];
  return [`_${ctx.show(say.provisionalAnswer())}_`, text.text, ...(list && 'text' in list ? [list.text] : [])];
}
