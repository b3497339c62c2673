import { scoreOf10 } from '../../src/drawing/labels.ts';
import { l10n, language } from './l10n.ts';

const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });

/** Numbers as the panel shows them. */
export const figures = {
  score: scoreOf10,
  count: (n: number): string => compact.format(n),
  usd: (usd: number): string => `$${usd.toFixed(usd >= 10 ? 0 : usd >= 0.1 || usd === 0 ? 2 : 4)}`,
  duration: (ms: number): string => {
    if (ms < 10_000) return l10n.t('{0} s', (ms / 1000).toFixed(1));
    const seconds = Math.round(ms / 1000);
    if (seconds < 60) return l10n.t('{0} s', seconds);
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return l10n.t('{0} min {1} s', minutes, seconds % 60);
    return l10n.t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
  },
  percent: (share: number): string => l10n.t('{0} %', Math.round(share * 100)),
  minutes: (minutes: number): string =>
    minutes < 60 ? l10n.t('{0} min', Math.max(1, Math.round(minutes))) : figures.duration(minutes * 60_000),
} as const;
