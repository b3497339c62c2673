import { messageOf } from '../../core/messages/kept.ts';
import type { Message } from '../../core/messages/message.ts';
import { formatDuration, formatUsd } from '../../core/text/figures.ts';
import { oneLine } from '../../core/text/text.ts';
import type { CallExchange, FoundExchange } from '../../engine/calls/call-exchange.ts';
import type { CallStory } from '../../engine/calls/node-story.ts';
import { free } from '../terminal/messages.ts';
import type { Part, Row } from '../terminal/row.ts';
import { inWords, keptInWords, l10n } from '../terminal/translation.ts';
import * as words from './messages.ts';

/** One call as one line: its purpose, outcome, usage and time. */
export function callRow(call: CallStory): Row {
  const { number, purpose, attempt, outcome, usage, worst, ms, charged, time, message, say } = call;
  const isGood = outcome === 'ok' || outcome === 'under-way';
  const row: Part[] = [
    { text: `${String(number).padStart(4)}  ` },
    { text: purpose.padEnd(11), style: 'bold' },
    { text: outcome.padEnd(11), style: isGood ? 'green' : 'red' },
  ];
  if (attempt > 1) row.push({ text: `${inWords(words.attemptOf({ attempt }))}  `, style: 'yellow' });
  row.push({ text: inWords(costsOf(call)) });
  const usd = usage ? usage.usd : charged ? worst.usd : 0;
  if (usd !== undefined && usd > 0) row.push({ text: ` · ${formatUsd(usd)}` });
  if (ms !== undefined) row.push({ text: ` · ${ms < 60_000 ? `${(ms / 1000).toFixed(1)}s` : formatDuration(ms)}` });
  row.push({ text: ` · ${time.slice(0, 19).replace('T', ' ')}`, style: 'dim' });
  if (message) row.push({ text: ` · ${oneLine(keptInWords(message, say), 300)}`, style: 'dim' });
  return row;
}

function costsOf(call: CallStory): Message {
  const { usage, charged, worst } = call;
  if (isFree(call)) return free();
  if (usage) return words.tokensUsed({ prompt: usage.prompt, cached: usage.cached, answer: usage.completion });
  return charged ? words.tokensAtWorst({ tokens: worst.tokens }) : words.notCharged();
}

function isFree({ usage, worst }: CallStory): boolean {
  return worst.tokens === 0 && (usage === undefined || usage.prompt + usage.completion === 0);
}

/** The words of one call, as sent and received. */
export function exchangeRows(call: CallStory, found: FoundExchange): Row[] {
  const rows: Row[] = [callRow(call), [{ text: call.model, style: 'dim' }]];
  if ('unknown' in found) return [...rows, [], [{ text: inWords(found.unknown), style: 'yellow' }]];
  const { system, turns, prompt, answer } = found.exchange;
  rows.push(...textRows(l10n.t('system'), system));
  for (const { role, text } of turns) rows.push(...textRows(role, text));
  rows.push(...textRows(l10n.t('prompt'), prompt));
  if (answer !== undefined) return [...rows, ...textRows(l10n.t('answer'), answer)];
  return [...rows, [], [{ text: oneLine(inWords(whyNoAnswer(call)), 1000), style: 'yellow' }]];
}

/** Why a call has no answer. */
function whyNoAnswer({ outcome, message, say }: CallStory): Message {
  if (outcome === 'under-way') return words.noAnswerYet();
  return message ? words.noAnswerSince({ outcome, why: messageOf(message, say) }) : words.noAnswer({ outcome });
}

/** An exchange for programs. */
export function exchangeObject(call: CallStory, found: FoundExchange): object {
  if ('unknown' in found) return { unknown: found.unknown.text };
  const { answer, ...sent }: CallExchange = found.exchange;
  return { ...sent, ...(answer === undefined ? { noAnswer: oneLine(whyNoAnswer(call).text, 1000) } : { answer }) };
}

function textRows(label: string, text: string): Row[] {
  const lines = text.split(/\r?\n/);
  return [[], [{ text: `── ${label}`, style: 'cyan' }], ...lines.map((line): Row => [{ text: line }])];
}
