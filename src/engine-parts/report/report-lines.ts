import type { Message } from '../../core/messages/message.ts';
import type { Lookup } from '../../core/ports/workspace-text.ts';
import type { Results } from '../../core/search/events.ts';
import { asSentence } from '../../core/text/text.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/context.ts';
import { documentLink } from './link-target.ts';
import * as say from './messages.ts';
import { noSuchWords } from './messages.ts';
import { plainLine } from './safe-markdown.ts';

/** The number of nodes that the beginning of a report names at most. */
export const MOST_IN_SHORT = 3;
const LONGEST_TITLE = 120;
const LONGEST_SUMMARY = 220;

/** A node that a report says something of first: its name, and what was found there in a sentence. */
export interface Finding {
  readonly node: TreeNode | undefined;
  readonly title: string;
  readonly summary: string;
}

/**
 * Begins a report with its most important findings in a sentence each, linked to their documents; else empty.
 * @param findings the most important first
 */
export function inShort(findings: readonly Finding[], show: (message: Message) => string): string[] {
  if (findings.length === 0) return [];
  const more = findings.length - MOST_IN_SHORT;
  const said = findings.slice(0, MOST_IN_SHORT).map(sentence);
  if (more > 0) said.push(show(say.moreBelow({ count: more })));
  return [show(say.inShort({ findings: said.join(' ') }))];
}

/** Says before the places of a look-up which words are in no file, and that nothing, or only something near, was found. */
export function howNear({ places, guess, missing, isNear }: Lookup): Message[] {
  const { length: count } = places;
  const nothing = guess ? say.onlyNearest() : say.nothingFound();
  return [
    ...(missing.length > 0 ? [say.inNoFile({ words: missing.join(', ') })] : []),
    ...(count === 0 ? [nothing] : isNear === true ? [say.onlyNear({ count })] : []),
  ];
}

function sentence({ node, title, summary }: Finding): string {
  const name = plainLine(title, LONGEST_TITLE);
  const linked = node ? `[${name}](${documentLink(node)})` : name;
  const said = plainLine(summary, LONGEST_SUMMARY);
  return asSentence(said === '' ? linked : `${linked}: ${said}`);
}

/** Returns the tokens of a search, listing those from a cache and those without a reported usage separately. */
export function tokensLine({ prompt, cached, completion, worstCase }: Results['tokens']): Message {
  const share = Math.round((100 * cached) / prompt);
  const sent = prompt > 0 ? say.sentCached({ tokens: prompt, share }) : say.sent({ tokens: prompt });
  const all = { all: prompt + completion + worstCase, sent, received: completion };
  return worstCase === 0 ? say.tokens(all) : say.tokensAtWorst({ ...all, worst: worstCase });
}

/** Says what a search cost in dollars, as far as known; an amount that is only booked is listed separately. */
export function moneyLine(results: Results, isFree: boolean): Message {
  const booked = results.booked?.usd ?? 0;
  if (booked === 0) return usedLine(results, isFree);
  return say.moneyBooked({ money: usedLine({ ...results, usd: Math.max(0, results.usd - booked) }, isFree), booked });
}

function usedLine({ usd, usdComplete, calls }: Results, isFree: boolean): Message {
  if (isFree && usd === 0) return say.free();
  if (usdComplete) return say.money({ usd: calls === 0 ? 0 : usd });
  return usd > 0 ? say.moneyAtLeast({ usd }) : say.moneyUnknown();
}

/** Says how long a search worked. */
export function timeLine(minutes: number): Message {
  return say.time({ time: durationOf(Math.round(minutes * 60)) });
}

export function modelsLine(names: readonly string[]): Message {
  return say.models({ count: names.length, models: names.join(', ') });
}

function durationOf(seconds: number): Message {
  const [hours, rest] = [Math.floor(seconds / 3600), seconds % 3600];
  if (seconds < 60) return say.seconds({ seconds });
  if (hours > 0) return say.hours({ hours, minutes: Math.floor(rest / 60) });
  return say.minutes({ minutes: Math.floor(rest / 60), seconds: rest % 60 });
}

/**
 * Says why a search has come to its end without a single node, if that is known; undefined if it has some, or is not
 * done.
 */
export function whyNothing({ model, tree: { root } }: Pick<SearchContext, 'model' | 'tree'>): Message | undefined {
  if (model.prose !== false || !root.listed || root.children.length > 0) return undefined;
  return noSuchWords({ model: model.name });
}
