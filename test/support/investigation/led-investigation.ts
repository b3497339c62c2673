import type { ModelRequest } from '../../../src/core/ports/model.ts';
import type { Store } from '../../../src/core/ports/store.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import { createMemoryStore } from '../memory-store.ts';
import type { SimulatedModelOptions } from '../models/simulated-model.ts';
import { type Simulation, type SimulationOptions, simulate } from '../searches/simulated-search.ts';

/** A lead as a scripted model plans it: its title, and what it follows from if not from the question itself. */
type PlannedLead = string | { readonly title: string; readonly from?: string; readonly wrongIf?: string };

/** A sentence, and the places that it cites. */
interface Said {
  readonly text: string;
  readonly cites: readonly string[];
}

/** How a scripted model leads an investigation. */
export interface LedManner {
  /** What a lead comes to, by its id: `settled`, `open` or `nothing`. */
  readonly result?: (id: string) => string;
  /** The findings of a lead, by its id; one by default. */
  readonly findings?: (id: string) => readonly (string | Said)[];
  /** What a lead leaves open, by its id. */
  readonly open?: (id: string) => readonly string[];
  /** The verdict on a claim. */
  readonly verdict?: (claim: string) => string | (Said & { readonly verdict: string });
  /** The leads of a plan, by the number of the round; none ends the investigation. */
  readonly leads?: (round: number, prompt: string) => readonly PlannedLead[];
  /** What a plan says is still open. */
  readonly stillOpen?: (prompt: string) => readonly string[];
  /** Pairs of findings that contradict each other, by what a plan is shown. */
  readonly contradictions?: (prompt: string) => readonly (readonly [number, number])[];
  /** Another answer, or an error. */
  readonly instead?: (request: ModelRequest, attempt: number) => string | Error | undefined;
  readonly latencyMs?: (request: ModelRequest) => number;
}

/** search.json of an investigation that the engine leads. */
export function ledFile(options: SearchFile['options'] = {}): SearchFile {
  return { version: 1, kind: 'investigation', title: 'Why?', prompt: 'Why do requests time out?', options };
}

/** What of a finding is no business of whoever checks it. */
export const REASONING = 'For the timer was seen to fire twice';

/** Returns what a lead finds, unless a test says otherwise. */
export const claimOf = (id: string): string => `Half of ${id} waits for the timer.`;

/** Returns the answer of a model that keeps to the form. */
export function ledAnswer({ purpose, turns, prompt: last }: ModelRequest, manner: LedManner = {}): string {
  const prompt = turns[0]?.text ?? last;
  if (purpose === 'propose-leads') return planAnswer(prompt, manner);
  if (purpose === 'verify-finding') return checkAnswer(prompt, manner);
  if (purpose === 'synthesize') return `The verdict rests on ${/^\[\d+\]/m.exec(prompt)?.[0] ?? 'nothing'}.`;
  const id = /(?:lead|whole:) (R\S+) "/.exec(prompt)?.[1] ?? '';
  const result = manner.result?.(id) ?? (id === 'R1.A' ? 'open' : 'settled');
  // Of the question as a whole, little is known at first.
  const isDivided = id === 'R1.A' && result === 'open';
  const open = manner.open?.(id) ?? (isDivided ? ['What it waits for.'] : []);
  const found = (manner.findings?.(id) ?? (isDivided ? [] : [claimOf(id)])).map((each) =>
    typeof each === 'string' ? { text: each, cites: ['src/timer.ts:1-2'] } : each,
  );
  return `---
title: About ${id}
summary: What ${id} is about.
result: ${result}
findings:
${found.map(({ text, cites }) => `  - text: ${JSON.stringify(text)}\n    cites: ${JSON.stringify(cites)}`).join('\n')}
${open.length > 0 ? `open:\n${open.map((each) => `  - ${JSON.stringify(each)}`).join('\n')}\n` : ''}---

${REASONING} at ${id}, as src/timer.ts says.
`;
}

function planAnswer(prompt: string, { leads, contradictions, stillOpen }: LedManner): string {
  const round = Number(/Plan round (\d+)/.exec(prompt)?.[1]);
  const given = leads?.(round, prompt) ?? (round === 2 ? ['The timer', 'The clock'] : []);
  const list = given.map((lead) => (typeof lead === 'string' ? { title: lead } : lead));
  const all = list.map((lead) => ({ plannedAction: `Look at ${lead.title}.`, wrongIf: 'It never fires.', ...lead }));
  const answer = { answer: `After round ${round - 1}: [1].`, weakest: 'The timer.', open: stillOpen?.(prompt) ?? [] };
  return `<output>${JSON.stringify({ ...answer, contradictions: contradictions?.(prompt) ?? [], leads: all })}</output>`;
}

function checkAnswer(prompt: string, { verdict }: LedManner): string {
  const claims = [...prompt.matchAll(/^\[(\d+)\] (.*)$/gm)];
  const said = claims.map(([, number, claim = '']) => {
    const given = verdict?.(claim) ?? 'confirmed';
    const usual = given === 'confirmed' ? 'The line says so.' : 'The timer waits for nobody.';
    const one = typeof given === 'string' ? { verdict: given, text: usual, cites: ['src/timer.ts:2'] } : given;
    const fields = ['verdict', 'text', 'cites'] as const;
    return [`  - claim: ${number}`, ...fields.map((name) => `    ${name}: ${JSON.stringify(one[name])}`)].join('\n');
  });
  return `---
title: Check
summary: What holds.
findings:
${said.join('\n')}
---

Looked for what speaks against it.
`;
}

/** An investigation led by the engine, in memory and in virtual time. */
export async function simulateLed(
  manner: LedManner = {},
  options: SimulationOptions & { readonly model?: Partial<SimulatedModelOptions>; readonly store?: Store } = {},
): Promise<Simulation> {
  const store = options.store ?? (await createMemoryStore(ledFile(options.file?.options)));
  const model: Partial<SimulatedModelOptions> = {
    instead: (request, attempt) => manner.instead?.(request, attempt) ?? ledAnswer(request, manner),
    ...(manner.latencyMs && { latencyMs: manner.latencyMs }),
    ...options.model,
  };
  return await simulate({ ...options, store, model });
}
