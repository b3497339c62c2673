import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import type { Span } from '../span.ts';

/** What a text has that has a token the library knows: without one of them it is not asked, which saves nearly all of its time. */
const SIGNS =
  /A3T|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|[Ss](?:ecret|ECRET)_?(?:access|ACCESS|Access)|PRIVATE KEY|x-oauth-basic|_authToken|npm_|xox[bpaor]-|xapp-|hooks\.slack\.com|:\/\/[^\s/@]{1,400}@|T3BlbkFJ|sk-(?:ant|proj|svc|adm)|gsk_|hf_|lin_api_|ntn_|SG\.|shp[pcas]|[sr]k_(?:live|test)_|gh[pousr]_|github_pat_|glpat-|glc_|glsa_|ops_ey|(?:mongodb|mysqlx?|postgres)[^\s/]{0,8}:\/\/|hv[sbr]\.|vc[piark]_|dapi|dckr_pat_|figd_|cf(?:k|ut|at)_|tskey-/;

// It would keep a mark of each use for as long as the process lives.
secretLintProfiler.setEnabled(false);

const PRESET = '@secretlint/secretlint-rule-preset-recommend';
const CONFIG = {
  rules: [
    {
      id: PRESET,
      rule: creator,
      // A file does not say of itself that it may be read.
      rules: [{ id: '@secretlint/secretlint-rule-filter-comments', disabled: true }],
    },
  ],
};

/**
 * The library is given so many characters at a time: some of its patterns take a time that grows with the square of theirs. No
 * token is longer than what two parts have in common; keys of many lines are found by `findKeyBlocks`.
 */
const PART = 4096;
const SHARED = 1024;

/** Tokens of services that a library knows, and keeps up with. */
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
