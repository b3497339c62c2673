import pLimit from 'p-limit';
import { isThoughtTreeError } from '../../../core/search/errors.ts';
import { ledWords } from '../../../core/search/messages.ts';
import type { FoundSearch } from '../../../store/open-store.ts';
import { overviewOf } from '../../reader/search-overview.ts';
import type { AgentHost, ToolAnswer } from '../agent-host.ts';
import { foundSearches, nameOf } from '../find-place.ts';
import { shownTitle } from '../safe-text.ts';
import type { Listed } from './tool-outputs.ts';

const READ_AT_ONCE = 4;
/** The most searches in one answer. */
const MOST = 50;

/** `tree_list`: the searches of the host's folders, the latest first. */
export async function listAnswer(host: AgentHost): Promise<ToolAnswer> {
  const found = await foundSearches(host);
  const begun = ({ search }: FoundSearch): string => search?.createdAt ?? '';
  const latest = found.sort((a, b) => (begun(a) < begun(b) ? 1 : begun(a) > begun(b) ? -1 : 0)).slice(0, MOST);
  const searches = await pLimit(READ_AT_ONCE).map(latest, (each) => rowOf(host, each));
  const more = found.length - latest.length;
  const data: Listed = { searches, more };
  const lines = searches.map(
    ({ search, title, state, reason, nodes, problem }) =>
      `- ${search}: ${title} (${problem ?? `${reason ?? state}, ${nodes === 1 ? '1 node' : `${nodes} nodes`}`})`,
  );
  if (more > 0) lines.push(`and ${more} more`);
  return { text: lines.join('\n') || 'There are no searches here. tree_start begins one.', data };
}

async function rowOf(host: AgentHost, { folder, search: file, problem }: FoundSearch): Promise<Listed['searches'][0]> {
  const search = nameOf(host, { folder });
  const created = file?.createdAt === undefined ? {} : { created: shownTitle(file.createdAt) };
  const known = { search, title: shownTitle(file?.title ?? search), kind: shownTitle(file?.kind ?? 'unknown') };
  const damaged = (why: string) => ({ ...known, state: 'damaged', nodes: 0, usd: 0, problem: shownTitle(why) });
  if (problem || !file) return damaged(problem?.message ?? 'search.json cannot be read');
  try {
    const overview = await overviewOf(host.kinds, folder);
    const { state, tree, results } = overview;
    const led = ledWords(overview);
    return {
      ...known,
      state,
      ...(led && { reason: shownTitle(led.text) }),
      nodes: tree.size,
      usd: results.usd,
      ...created,
    };
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    return damaged(error.message);
  }
}
