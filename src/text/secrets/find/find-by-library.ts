import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import type { Span } from '../span.ts';

/** A token known to the library contains one of these: skipping other texts saves nearly all of its time. */
const SIGNS =
  /A3T|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|[Ss](?:ecret|ECRET)_?(?:access|ACCESS|Access)|PRIVATE KEY|x-oauth-basic|_authToken|npm_|xox[bpaor]-|xapp-|hooks\.slack\.com|:\/\/[^\s/@]{1,400}@|T3BlbkFJ|sk-(?:ant|proj|svc|adm)|gsk_|hf_|lin_api_|ntn_|SG\.|shp[pcas]|[sr]k_(?:live|test)_|gh[pousr]_|github_pat_|glpat-|glc_|glsa_|ops_ey|(?:mongodb|mysqlx?|postgres)[^\s/]{0,8}:\/\/|hv[sbr]\.|vc[piark]_|dapi|dckr_pat_|figd_|cf(?:k|ut|at)_|tskey-/;

// It would record each use for as long as the process lives.
secretLintProfiler.setEnabled(false);

const PRESET = '@secretlint/secretlint-rule-preset-recommend';
const CONFIG = {
  rules: [
    {
      id: PRESET,
      rule: creator,
      // A file must not be able to declare itself readable.
      rules: [{ id: '@secretlint/secretlint-rule-filter-comments', disabled: true }],
    },
  ],
};

/**
 * The library gets so many characters at a time, since some of its patterns take quadratic time. No token is longer than
 * the overlap of two parts; keys of many lines are found by `findKeyBlocks`.
 */
const PART = 4096;
const SHARED = 1024;

/** Tokens of services, by a library that is kept up to date. */
export async function findByLibrary(text: string): Promise<Span[]> {
  if (!SIGNS.test(text)) return [];
  const found: Span[] = [];
  for (let from = 0; from === 0 || from + SHARED < text.length; from += PART - SHARED) {
    const part = text.slice(from, from + PART);
    if (SIGNS.test(part))
      for (const { start, end } of await findIn(part)) found.push({ start: from + start, end: from + end });
  }
  return found;
}

async function findIn(content: string): Promise<Span[]> {
  const source = { filePath: 'text', content, contentType: 'text', ext: '' } as const;
  const { messages } = await lintSource({ source, options: { config: CONFIG, noPhysicFilePath: true } });
  return messages.flatMap(({ range, type }) => (type === 'message' ? [{ start: range[0], end: range[1] }] : []));
}
