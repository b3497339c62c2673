import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import * as z from 'zod';

/** Identifies a process uniquely, even after a restart of the process or the computer. */
export const ProcessIdentity = z.object({
  pid: z.number().int(),
  host: z.string(),
  /** Identifies the computer's boot; exact on Linux, `~` and a rounded time elsewhere. */
  bootId: z.string(),
  /** The PID namespace, if the system has several (containers). */
  pidSpace: z.string().optional(),
  /** When the process began, in the system's own units, if known. */
  started: z.string().optional(),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** This process. */
export function thisProcess(): ProcessIdentity {
  const pidSpace = quietly(() => readlinkSync('/proc/self/ns/pid'));
  const started = statusOf(process.pid)?.started;
  return {
    pid: process.pid,
    host: hostname(),
    bootId: readBootId(),
    ...(pidSpace === undefined ? {} : { pidSpace }),
    ...(started === undefined ? {} : { started }),
  };
}

/** Tells whether it is this process; the computer's name and a rounded boot time may have changed since it began. */
export function isThisProcess({ pid, pidSpace, started }: ProcessIdentity): boolean {
  const me = thisProcess();
  return pid === me.pid && pidSpace === me.pidSpace && started === me.started;
}

/**
 * Tells whether a process is known to be gone. Returns false if it is alive or if that is unknown: on another computer,
 * or in another container.
 * @param me the calling process
 */
export function isGone(other: ProcessIdentity, me: ProcessIdentity): boolean {
  if (other.host !== me.host) return false;
  // A rounded boot time shifts when the clock is set, so a difference proves nothing there.
  const exact = !other.bootId.startsWith('~') && !me.bootId.startsWith('~');
  if (exact && other.bootId !== me.bootId) return true;
  if (other.pidSpace !== me.pidSpace) return false;
  if (!isRunning(other.pid)) return true;
  const found = statusOf(other.pid);
  // A zombie ended, but its parent has not taken notice: in a container, it may never do.
  if (found?.state === 'Z' || found?.state === 'X') return true;
  return other.started !== undefined && found !== undefined && other.started !== found.started;
}

/**
 * Tells whether a process is known to run, so that its silence means nothing: the computer may have been asleep, or its
 * clock set. Returns false for one that is stopped (SIGSTOP), and where that cannot be told.
 * @param me the calling process
 */
export function isKnownToRun(other: ProcessIdentity, me: ProcessIdentity): boolean {
  if (!isSameBoot(other, me) || other.bootId.startsWith('~') || other.pidSpace !== me.pidSpace) return false;
  if (other.pid === me.pid) return false; // a lease that this process could not release
  const found = isRunning(other.pid) ? statusOf(other.pid) : undefined;
  return found !== undefined && found.started === other.started && !'ZXTt'.includes(found.state);
}

/** Tells whether a process is known to have run since this computer was last started. */
export function isSameBoot(other: ProcessIdentity, me: ProcessIdentity): boolean {
  return other.host === me.host && other.bootId === me.bootId;
}

function isRunning(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, but belongs to somebody else.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function readBootId(): string {
  const exact = quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  if (exact) return exact;
  const bootedMs = Date.now() - uptime() * 1000;
  return `~${new Date(Math.round(bootedMs / 600_000) * 600_000).toISOString()}`;
}

/**
 * A process's state, in a letter, and when it began: process ids are reused, and the same id with another start time is
 * another process. Linux only.
 */
function statusOf(pid: number): { state: string; started: string } | undefined {
  const stat = quietly(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name, in parentheses, may contain anything; the start time is the 20th field after it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] && fields[19] ? { state: fields[0], started: fields[19] } : undefined;
}

function quietly<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** This computer, as long as it runs; where the system does not say that exactly, by its name. */
export function ownHost(): string {
  const { bootId } = thisProcess();
  // A rounded time shifts when the clock is set.
  return JSON.stringify([hostname(), bootId.startsWith('~') ? '' : bootId]);
}
