import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** The scripted models of the second extension, kept from answering for as long as a test likes. */
export class HeldModels {
  readonly #folder = temporaryFolder('held');
  readonly #file = join(this.#folder, 'hold');

  /** What the window's host has to be started with. */
  get env(): Record<string, string> {
    return { SCRIPTED_MODELS: JSON.stringify({ hold: this.#file }) };
  }

  /** From now on no request is answered whose prompt matches; those that do not match any more are. */
  hold(pattern: RegExp): void {
    writeFileSync(this.#file, pattern.source);
  }

  release(): void {
    writeFileSync(this.#file, '');
  }
}
