import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import type { Message } from '../core/messages/message.ts';
import type { AllowsExperiment, Experiments, Isolation, Workshop } from '../core/ports/workshop.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../core/search/errors.ts';
import type { JournalEvent } from '../core/search/events.ts';
import { redactor } from '../core/text/redact.ts';
import { agentSecrets } from '../models/keys.ts';
import { COMMAND_OUTPUT, SecretFilter } from '../text/secrets/secret-filter.ts';
import type { Consent } from '../work/workshop-of-store.ts';
import { heldByNothing, heldBySandbox, networkNotHeld, withNetwork, withoutNetwork } from './messages.ts';
import { folderInWorkspace, type Place } from './place.ts';
import { realPath } from './trust/search-use.ts';
import { StateFolder } from './trust/state-folder.ts';
import { workFolders } from './work-folders.ts';

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
  const { assertGit } = await import('../work/open-workshop.ts');
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
  const keys = redactor(agentSecrets(process.env, []));
  const { openWorkshop } = await import('../work/open-workshop.ts');
  const workshop = await openWorkshop({
    workspace: place.workspace,
    ownFolder: folderInWorkspace(place),
    folder: own,
    locks: join(state, 'accepting'),
    hidden: [state],
    consent: consentOf(id, folder, asked),
    hasNetwork: asked.network ?? false,
    redact: async (text) => (await filter.hide(COMMAND_OUTPUT, keys(text))).text,
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

/** The request to open what runs the programs of a search's models. */
interface ExperimentsOpening {
  readonly place: Place;
  readonly id: string;
  readonly formerId?: string | undefined;
  readonly allows: AllowsExperiment;
  readonly allowedFiles?: readonly string[] | undefined;
  /** The files that models may see, and others that go with them. */
  readonly files: () => Promise<readonly string[]>;
}

/** Opens what runs small programs of a search's models; undefined where nothing here would hold them. */
export async function openExperimentsOf(opening: ExperimentsOpening): Promise<Experiments | undefined> {
  const { place, id, formerId, allows, allowedFiles, files } = opening;
  const { state, own } = await workFolders(await realPath(place.folder), id, formerId);
  const filter = new SecretFilter(place.workspace, allowedFiles);
  const keys = redactor(agentSecrets(process.env, []));
  const { openExperiments } = await import('../work/open-workshop.ts');
  const says = [
    heldBySandbox({ sandbox: process.platform === 'darwin' ? 'sandbox-exec' : 'bubblewrap' }),
    withoutNetwork(),
  ];
  return await openExperiments({
    workspace: place.workspace,
    folder: join(own, 'experiments'),
    hidden: [state],
    redact: async (text) => (await filter.hide(COMMAND_OUTPUT, keys(text))).text,
    files,
    allows: (experiment) => allows(experiment, says),
  });
}

/** A person's decisions about the work of a search whose kind changes files and runs commands. */
export interface WorkRequest {
  /**
   * Asks whether exactly these command lines may run; only about those that the person did not agree to before.
   * @param says what holds the commands, and what does not
   * @throws ThoughtTreeError `declined` or `bad-input` if nobody can be asked, saying what would help
   */
  readonly consent: (lines: readonly string[], says: readonly Message[]) => Promise<boolean>;
  /** Commands may use the network, where a sandbox could keep them from it; by default not. */
  readonly network?: boolean | undefined;
}

const Agreed = z.object({
  version: z.literal(1),
  /** Where the search was: a copy of it has to ask again. */
  path: z.string(),
  /** Hashes of command lines. */
  lines: z.array(z.string().regex(/^[\da-f]{64}$/)).max(100_000),
});

/** Remembers in this user's state folder which command lines they agreed to, for one search in one place. */
export function consentOf(id: string, path: string, { consent, network = false }: WorkRequest): Consent {
  const file = `searches/${id}.commands.json`;
  const agreed = new Set(readAgreed(file, path));
  return {
    isAllowed: (line) => agreed.has(hashOf(line)),
    async ask(lines, isolation) {
      if (!(await asked(consent, lines, saysOf(isolation, network)))) return false;
      for (const line of lines) agreed.add(hashOf(line));
      // Where it cannot be remembered, it is asked again next time.
      StateFolder.open()?.write(file, `${JSON.stringify({ version: 1, path, lines: [...agreed] })}\n`);
      return true;
    },
  };
}

async function asked(
  consent: WorkRequest['consent'],
  lines: readonly string[],
  says: readonly Message[],
): Promise<boolean> {
  try {
    return await consent(lines, says);
  } catch (error) {
    // Nobody could be asked, so nobody agreed; what would help is in its words.
    if (isThoughtTreeError(error, 'bad-input')) throw new ThoughtTreeError('declined', error.say, { cause: error });
    throw error;
  }
}

/** Returns what a person has to know before they agree. */
function saysOf({ sandbox }: Isolation, network: boolean): Message[] {
  if (sandbox === undefined) return [heldByNothing(), networkNotHeld()];
  return [heldBySandbox({ sandbox }), network ? withNetwork() : withoutNetwork()];
}

function readAgreed(file: string, path: string): string[] {
  try {
    const known = Agreed.parse(JSON.parse(StateFolder.open()?.read(file) ?? ''));
    return known.path === path ? known.lines : [];
  } catch {
    return [];
  }
}

function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}
