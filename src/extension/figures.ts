import * as vscode from 'vscode';
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
