import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Message } from '../../core/messages/message.ts';
import type { Isolation } from '../../core/ports/workshop.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import type { Consent } from '../../work/workshop-of-store.ts';
import { StateFolder } from '../trust/state-folder.ts';
import { heldByNothing, heldBySandbox, networkNotHeld, withNetwork, withoutNetwork } from './messages.ts';

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
