import * as z from 'zod';
import { noList, notJson } from '../../../core/messages/answers.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { lastOutput } from '../../../core/text/output-block.ts';
import { oneLine } from '../../../core/text/text.ts';
import { brokenRules, tooFewLeads, wrongLeads } from '../messages.ts';
import { type ProposedNode, propose } from '../protocol/propose.ts';
import type { Moment } from './led-investigation.ts';

const LONGEST_TITLE = 200;
const LONGEST_ACTION = 2000;

const text = z.string().max(20_000);
const Leads = z
  .array(
    z.looseObject({
      id: z.string().max(100).nullish(),
      title: z.union([text, z.number()]).nullish(),
      plannedAction: text.nullish(),
      /** What the quotes model calls it. */
      why: text.nullish(),
    }),
  )
  .max(200);

/** What was asked for below a node. */
export interface AskedLeads {
  readonly parent: string;
  readonly least: number;
  readonly most: number;
  /** The ids that were asked for. */
  readonly ids: readonly string[];
  /** Whether an empty list is an answer. */
  readonly mayEnd: boolean;
  /** The titles of its children: a lead that is proposed again is dropped. */
  readonly existing: ReadonlySet<string>;
}

/** The leads of an answer that do not exist yet. */
export interface CheckedLeads {
  readonly leads: readonly ProposedNode[];
  /** The titles of the whole list, in its order. */
  readonly order: readonly string[];
  /** Whether the answer is that nothing is left to look into. */
  readonly isEnd: boolean;
}

/**
 * The leads in a model's answer, checked by the protocol as an agent's proposal is. Leads without an id get the next one.
 * @throws ThoughtTreeError `bad-answer` saying what is wrong and how to put it right, in words for the model
 */
export function checkLeads({ at }: Moment, asked: AskedLeads, answer: string): CheckedLeads {
  const { parent, least, most, ids, mayEnd, existing } = asked;
  const list = readLeads(answer);
  const used = new Set(list.map(({ id }) => id));
  const free = ids.filter((id) => !used.has(id));
  const all = list.map(({ id, title, plannedAction, why }) => ({
    id,
    title: oneLine(String(title ?? ''), LONGEST_TITLE),
    plannedAction: (plannedAction ?? why ?? '').slice(0, LONGEST_ACTION).toWellFormed(),
  }));
  const fresh = all.filter(({ title }) => !existing.has(title)).slice(0, most);
  const nodes = fresh.map((lead): ProposedNode => ({ ...lead, id: lead.id || (free.shift() ?? ''), parent }));
  if (list.length === 0 && mayEnd) return { leads: [], order: [], isEnd: true };
  const { errors } = propose(at, nodes, 0);
  if (errors.length > 0) {
    const why = errors.map(({ message, suggestion }) => `${message} ${suggestion}`).join(' ');
    throw new ThoughtTreeError('bad-answer', brokenRules({ why }));
  }
  if (nodes.length < least) throw new ThoughtTreeError('bad-answer', tooFewLeads({ count: nodes.length, least, most }));
  return { leads: nodes, order: all.map(({ title }) => title), isEnd: false };
}

function readLeads(answer: string): z.infer<typeof Leads> {
  const output = lastOutput(answer);
  if (output === undefined) throw new ThoughtTreeError('bad-answer', noList());
  const parsed = Leads.safeParse(readJson(output));
  if (parsed.success) return parsed.data;
  throw new ThoughtTreeError('bad-answer', wrongLeads({ why: oneLine(z.prettifyError(parsed.error), 500) }));
}

function readJson(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch (error) {
    throw new ThoughtTreeError('bad-answer', notJson({ why: oneLine(String(error), 300) }));
  }
}
