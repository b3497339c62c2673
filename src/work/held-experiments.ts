import { randomBytes } from 'node:crypto';
import { cp, lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { AllowsExperiment, Experiment, Experiments, Language } from '../core/ports/experiments.ts';
import type { WorkOutcome } from '../core/ports/workshop.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { type CommandRules, runWorkCommand } from './commands/run-command.ts';
import { copyFolder } from './copy-folder.ts';
import { experimentDeclined, tooLargeToCopy } from './messages.ts';
import { removeFolder } from './remove-folder.ts';

/** The time that a program may run, in milliseconds, and that of a processor that it may take, in seconds. */
const TIMEOUT_MS = 60_000;
const CPU_SECONDS = 60;
/** The most that is copied. */
const MOST_FILES = 20_000;
const MOST_BYTES = 200_000_000;
/** Folders that programs need besides, and nobody commits: seen as they are, read only. */
const DEPENDENCIES = ['node_modules', '.venv', 'venv', 'vendor'];

const RUNS: Readonly<Record<Language, { readonly file: string; readonly line: string }>> = {
  javascript: { file: 'try.mjs', line: 'exec node ./try.mjs' },
  python: { file: 'try.py', line: 'exec python3 ./try.py' },
  shell: { file: 'try.sh', line: 'exec sh ./try.sh' },
};

/** The folders of a workspace with what is installed there. */
export async function installedIn(workspace: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of DEPENDENCIES) {
    const folder = join(workspace, name);
    // A link could lead anywhere.
    if ((await lstat(folder).catch(() => undefined))?.isDirectory()) found.push(folder);
  }
  return found;
}

interface Parts {
  /** Of which the workspace is the copy. */
  readonly rules: CommandRules;
  readonly workspace: string;
  /** Our folder, outside of it. */
  readonly folder: string;
  /** As `installedIn` found it. */
  readonly shown: readonly string[];
  /** The files that a copy of the workspace has: those that models may see. */
  readonly files: () => Promise<readonly string[]>;
  readonly allows: AllowsExperiment;
}

/** Programs that run in a sandbox, each on a copy of its own. */
export class HeldExperiments implements Experiments {
  readonly #parts: Parts;
  #base: Promise<string> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run({ language, program }: Experiment, signal: AbortSignal): Promise<WorkOutcome> {
    const { rules, allows } = this.#parts;
    if (!(await allows({ language, program }, []))) throw new ThoughtTreeError('declined', experimentDeclined());
    this.#base ??= this.#copy();
    const own = join(rules.scratch, `try-${randomBytes(8).toString('hex')}`);
    const place = { folder: join(own, 'work'), home: join(own, 'home') };
    const { file, line } = RUNS[language];
    try {
      await copyFolder(await this.#base, place.folder);
      await mkdir(place.home, { recursive: true, mode: 0o700 });
      await writeFile(join(place.folder, file), program);
      const limited = `ulimit -t ${CPU_SECONDS} 2>/dev/null; ${line}`;
      return await runWorkCommand(rules, place, { line: limited, rights: 'write', timeoutMs: TIMEOUT_MS }, signal);
    } finally {
      await removeFolder(own);
    }
  }

  async close(): Promise<void> {
    await this.#base?.catch(() => undefined);
    await removeFolder(this.#parts.folder);
  }

  /** The files of the workspace as they are when the first program runs. */
  async #copy(): Promise<string> {
    const { rules, workspace, files, shown } = this.#parts;
    const { workspace: base } = rules;
    let bytes = 0;
    const all = await files();
    if (all.length > MOST_FILES) throw new ThoughtTreeError('bad-input', tooLargeToCopy());
    for (const path of all) {
      const from = join(workspace, path);
      const found = await lstat(from).catch(() => undefined);
      if (!found?.isFile()) continue; // a link could lead anywhere
      bytes += found.size;
      if (bytes > MOST_BYTES) throw new ThoughtTreeError('bad-input', tooLargeToCopy());
      await mkdir(dirname(join(base, path)), { recursive: true });
      await cp(from, join(base, path));
    }
    for (const folder of shown) {
      const to = join(base, basename(folder));
      if ((await lstat(to).catch(() => undefined)) === undefined) await symlink(folder, to);
    }
    return base;
  }
}
