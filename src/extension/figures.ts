import * as vscode from 'vscode';
import type { Band, Forecast } from '../core/money/forecast.ts';
import type { Rates } from '../core/ports/model.ts';

let compact: Intl.NumberFormat | undefined;

/** Created on first use: that takes longer than loading the rest of the extension. */
function count(n: number): string {
  compact ??= new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
  return compact.format(n);
}

/** Numbers as the views show them. */
export const figures = {
  score: (score: number): string => String(Number(score.toFixed(1))),
  count,
  tokens: (n: number): string => vscode.l10n.t('{0} tokens', count(n)),
  usd: (usd: number): string => `$${usd.toFixed(usd >= 10 ? 0 : usd > 0 && usd < 0.01 ? 4 : 2)}`,
  /** US dollars per million tokens: of prompts, cached ones, and answers. */
  price: ({ prompt, cached, completion }: Rates): string =>
    `$${[prompt, cached, completion].map((rate) => Number(rate.toPrecision(3))).join('/')}`,
  duration: (ms: number): string => {
    const seconds = Math.round(ms / 1000);
    if (seconds < 60) return `${seconds} s`;
    const minutes = Math.floor(seconds / 60);
    return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  },
} as const;

/** Returns a forecast as one line: calls and tokens, money from low to high, and time; and what it is worth. */
export function forecastWords(forecast: Forecast): string {
  const { seen } = forecast;
  const words = figuresOf(forecast);
  if (seen.past + seen.own > 0) return words;
  return `${words} · ${vscode.l10n.t('a guess, since nothing was run here before')}`;
}

/** Tells the figures of a forecast without their worth, which one of several lines says. */
export function figuresOf({ calls, tokens, usd, minutes, atMost }: Forecast): string {
  const parts = [
    callWords(Math.round(calls.likely)),
    figures.tokens(Math.round(tokens.likely)),
    usd ? moneyWords(usd, atMost?.usd) : vscode.l10n.t('price unknown'),
    timeWords(minutes),
  ];
  return parts.join(' · ');
}

/** Returns the forecast for the rest of a running search. */
export function leftWords({ usd, tokens, minutes }: Forecast): string {
  const what = usd ? figures.usd(usd.likely) : figures.tokens(Math.round(tokens.likely));
  return vscode.l10n.t('about {0} and {1} left', what, timeWords(minutes));
}

function callWords(calls: number): string {
  return calls === 1 ? vscode.l10n.t('about 1 call') : vscode.l10n.t('about {0} calls', calls);
}

function moneyWords({ low, likely, high }: Band, atMost: number | undefined): string {
  const range = [figures.usd(likely), figures.usd(low), figures.usd(high)] as const;
  if (atMost === undefined) return vscode.l10n.t('{0} ({1} to {2})', ...range);
  return vscode.l10n.t('{0} ({1} to {2}), at most {3}', ...range, figures.usd(atMost));
}

function timeWords({ likely }: Band): string {
  return likely < 1 ? vscode.l10n.t('under a minute') : vscode.l10n.t('{0} min', Math.round(likely));
}
