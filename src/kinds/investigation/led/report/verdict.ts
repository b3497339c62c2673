import { oneLine } from '../../../../core/text/text.ts';
import { answerThatFits } from '../../../../engine/budget/answer-that-fits.ts';
import { notesFor, notesText } from '../../../../engine/calls/notes.ts';
import { toolWords } from '../../../../engine/calls/tool-rounds.ts';
import type { CleanAnswer } from '../../../../engine/report/clean-answer.ts';
import type { CitedFinding } from '../../../../engine/report/findings.ts';
import { toolsForAnswer, writtenAnswer } from '../../../../engine/report/written-answer.ts';
import { titleOf } from '../../run/read-investigation.ts';
import { numberedAnswer } from '../citing.ts';
import type { Claim } from '../claims.ts';
import type { LedSearch } from '../led-investigation.ts';
import { verdictPrompt } from '../prompts.ts';
import { shownLeads } from '../shown.ts';
import type { Told } from './told.ts';

/** The call for the verdict, at its largest: a page in any language. */
export const VERDICT_CALL = { purpose: 'synthesize', bytes: 72_000, maxOutputTokens: 4000 } as const;
const LONGEST_NOTES = 1000;
const MOST_UNTOUCHED = 20;

/**
 * Asks the model for the verdict: what is confirmed, refuted, contradicted and open, as one answer.
 * @throws ThoughtTreeError if another process now holds the search, or its files cannot be written
 */
export async function askForVerdict(ctx: LedSearch, told: Told): Promise<CleanAnswer> {
  const { purpose, maxOutputTokens: wanted } = VERDICT_CALL;
  const tools = toolsForAnswer(ctx, VERDICT_CALL);
  const { known, claims, contradictions, untouched, standing } = told;
  const prompt = verdictPrompt({
    answer: numberedAnswer(standing?.answer ?? '', claims),
    ...shownLeads(known, ctx.modelFor(purpose)),
    contradictions: contradictions.map(([one, other]) => [claims.indexOf(one) + 1, claims.indexOf(other) + 1] as const),
    untouched: untouched
      .slice(0, MOST_UNTOUCHED)
      .map((lead) => ({ id: lead.own.nodeId, title: oneLine(titleOf(lead), 200) })),
    notes: oneLine(notesText(await notesFor(ctx, undefined)), LONGEST_NOTES),
    reads: tools !== undefined,
  });
  const words = {
    prompt: [prompt, ...(tools ? [toolWords(tools.toolbox.tools, tools.rounds)] : [])].join('\n\n'),
    data: { question: ctx.file.prompt },
    maxOutputTokens: answerThatFits(ctx.modelFor(purpose), wanted),
    ...(tools && { tools }),
  };
  return await writtenAnswer(ctx, { purpose, words, findings: claims.map(citedOf), link: () => undefined });
}

/** Returns the citations of a claim: of one that does not hold as it is, what its check read comes first. */
export function citesOf({ cites, verdict }: Claim): readonly string[] {
  if (!verdict) return cites;
  return verdict.outcome === 'confirmed' ? [...cites, ...verdict.cites] : [...verdict.cites, ...cites];
}

function citedOf(claim: Claim): CitedFinding {
  return { text: claim.text, cites: citesOf(claim), node: claim.lead.node };
}
