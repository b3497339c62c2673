import { join } from 'node:path';
import type { Workshop } from '../../core/ports/workshop.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { redactor } from '../../core/text/redact.ts';
import { agentSecrets } from '../../models/agents/agent-secrets.ts';
import { SecretFilter } from '../../text/secrets/secret-filter.ts';
import { folderInWorkspace, type Place } from '../place.ts';
import { realPath } from '../trust/search-use.ts';
import { consentOf, type WorkRequest } from './consent.ts';
import { workFolders } from './work-folders.ts';

/** The output of commands is read like prose that may quote anything. */
export const AS = 'output.md';

/** The request to open the workshop of a search. */
interface WorkOpening {
  readonly place: Place;
  /** The search's id, and the one before if it got a new one just now. */
  readonly id: string;
  readonly formerId?: string | undefined;
  readonly asked: WorkRequest;
  readonly allowedFiles?: readonly string[] | undefined;
}

/** A workshop that this process has. */
export interface OpenWork {
  readonly workshop: Workshop;
  /** Learns what happens to the search: a finished one leaves no checkouts. */
  hear(event: JournalEvent): void;
}

/**
 * Sees that work can be done in a workspace, before a search is made that would need it.
 * @throws ThoughtTreeError `bad-input` without git, or without a repository
 */
export async function assertWorkable(workspace: string): Promise<void> {
  const { assertGit } = await import('../../work/open-workshop.ts');
  await assertGit(workspace);
}

/**
 * Opens the workshop of a search, whose lease this process holds.
 * @throws ThoughtTreeError `not-writable` if this user has no state folder; `bad-input` without git, or without a repository
 */
export async function openWork({ place, id, formerId, asked, allowedFiles }: WorkOpening): Promise<OpenWork> {
  const folder = await realPath(place.folder);
  const { state, own } = await workFolders(folder, id, formerId);
  const filter = new SecretFilter(place.workspace, allowedFiles);
  const keys = redactor(agentSecrets(withoutMissing(process.env), []));
  const { openWorkshop } = await import('../../work/open-workshop.ts');
  const workshop = await openWorkshop({
    workspace: place.workspace,
    ownFolder: folderInWorkspace(place),
    folder: own,
    locks: join(state, 'accepting'),
    hidden: [state],
    consent: consentOf(id, folder, asked),
    hasNetwork: asked.network ?? false,
    redact: async (text) => (await filter.hide(AS, keys(text))).text,
    isSecret: (path) => filter.leavesOut(path),
  });
  return {
    workshop,
    hear(event) {
      if (event.type === 'search-finished') workshop.finish();
      else if (event.type === 'search-resumed') workshop.finish(false);
    },
  };
}

/** The environment without what is not set. */
export function withoutMissing(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as Record<string, string>;
}
