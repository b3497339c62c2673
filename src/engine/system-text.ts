import { FORMER_READ, type Reading, readingOf } from '../core/search/reading.ts';
import type { SearchRecord } from '../core/search/record/search-record.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { varying, WORKSPACE } from '../core/text/varying-parts.ts';
import { workspaceOverview } from './grounding/workspace-overview.ts';
import type { Kind } from './kind/kind.ts';
import type { SearchParts } from './search-parts.ts';

const UNSEEN = `Nothing of the workspace is shown to you: the person who asks wants none of it sent. Answer from what you know, and say where an answer would take a look at its files.`;

/**
 * Returns the system text of a search: the one that it began with, or else that of its kind and what the workspace is. The
 * same bytes for every request, so that prompt caches serve it.
 */
export async function systemTextOf(
  parts: SearchParts,
  kind: Kind,
  file: SearchFile,
  past: SearchRecord,
): Promise<string> {
  const { own, workspaceText, model, judge, clock } = parts;
  const brought = past.system ?? past.broughtSystem;
  // It steers every answer: one that came with the folder is not used.
  const isOurs = brought !== undefined && (!own || (own.isKnown && own.isOwnSystemText?.(brought)));
  if (isOurs) return brought;
  if (!kind.system) return '';
  const rules = kind.system(file.prompt);
  const reading = readingIn(parts, file);
  const surveying = { workspaceText, quotesContext: reading.context, model, judge, clock, file };
  if (!reading.context && !reading.tools && workspaceText && model.prose !== false)
    return `${rules}\n${varying(WORKSPACE, UNSEEN)}`;
  const overview = await workspaceOverview(surveying, new AbortController().signal);
  return overview === '' ? rules : `${rules}\n${varying(WORKSPACE, overview.trimEnd())}`;
}

/** Returns what this run may read, else what the search says. */
export function readingIn(
  { context, tools }: Pick<SearchParts, 'context' | 'tools'>,
  { options }: SearchFile,
): Reading {
  const said = readingOf(options, FORMER_READ);
  return { context: context ?? said.context, tools: tools ?? said.tools };
}
