import { dirname, resolve } from 'node:path';
import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { Mirror, MirrorAsk } from '../../engine/kind/kind-format.ts';
import type { Outcome } from '../../engine/outcome.ts';
import { findProgram } from '../../searches/mirror/find-program.ts';
import { MirrorFile } from '../../searches/mirror/mirror-file.ts';
import type { OpenedSearch } from '../../searches/open-search.ts';
import type { Place } from '../../searches/place.ts';
import { recallUse } from '../../searches/trust/search-use.ts';
import * as say from '../messages.ts';
import { commandName } from '../options/command-name.ts';
import { shellCommand } from '../options/resume-command.ts';
import { shownPath } from '../options/search-place.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords } from '../terminal/translation.ts';
import { askYes, canAsk } from './ask-yes.ts';

/** The interval of looking whether others changed the file, in milliseconds. */
const LOOKS_EVERY = 1000;

/** A file that this run keeps true, for as long as nobody else changes it. */
export class RunMirror {
  readonly #file: MirrorFile;
  readonly #opened: OpenedSearch;
  readonly #place: Place;
  readonly #name: string;
  #timer: NodeJS.Timeout | undefined;
  /** One look at a time, in order. */
  #busy: Promise<void> = Promise.resolve();
  #isOver = false;

  private constructor(file: MirrorFile, opened: OpenedSearch, place: Place, name: string) {
    this.#file = file;
    this.#opened = opened;
    this.#place = place;
    this.#name = name;
  }

  /**
   * Takes the file that this person names, having said what it does where the program that reads it is installed.
   * @throws ThoughtTreeError `bad-input` where a person has to be asked and cannot be, `declined` if they do not want it,
   *   `exists` if the file is not of this search, `edited` if others changed it since the last run
   */
  static async open(path: string | undefined, opened: OpenedSearch, place: Place): Promise<RunMirror | undefined> {
    const mirror = opened.search.kind.formats?.find((format) => format.mirror)?.mirror;
    if (path === undefined || !mirror) return undefined;
    const file = resolve(path);
    await agree(mirror, file, place);
    const { id } = await recallUse(place.folder);
    const { file: searchFile, tree, limits, record } = opened.search;
    const search = { file: searchFile, tree, limits, record, store: opened.store };
    const found = await MirrorFile.open({ file, mirror, id, search });
    const name = shownPath(file);
    const asked = await found.asked();
    if (asked) {
      for (const line of linesOf(asked, place)) terminalOf(process).err.line(inWords(line));
      throw new ThoughtTreeError('edited', say.mirrorChanged({ file: name }), { file });
    }
    return new RunMirror(found, opened, place, name);
  }

  /** @param notice tells the person */
  begin(notice: (text: string) => void): void {
    const look = (): void => {
      this.#busy = this.#busy.then(async () => {
        if (!this.#isOver) await this.#update(notice);
      });
    };
    look();
    this.#timer = setInterval(look, LOOKS_EVERY);
  }

  /** Says in the file how the run ended. */
  async end(outcome: Outcome | undefined, notice: (text: string) => void): Promise<void> {
    clearInterval(this.#timer);
    await this.#busy;
    if (this.#isOver) return;
    const asked = await this.#file.update(
      outcome?.state === 'finished' && outcome.reason === 'solved' ? 'completed' : 'stopped',
    );
    if (asked) this.#tell(asked, notice);
  }

  #tell(asked: MirrorAsk, notice: (text: string) => void): void {
    for (const line of [say.mirrorChanged({ file: this.#name }), ...linesOf(asked, this.#place)]) notice(inWords(line));
  }

  async #update(notice: (text: string) => void): Promise<void> {
    try {
      const asked = await this.#file.update('running');
      if (!asked) return;
      this.#isOver = true;
      this.#opened.search.pause();
      if (asked.stop && !asked.redirect) {
        await this.#file.obeyStop();
        notice(inWords(say.mirrorStops({ file: this.#name })));
      } else this.#tell(asked, notice);
    } catch (error) {
      // A file that cannot be written ends no search; it is said once.
      this.#isOver = true;
      notice(inWords(say.mirrorFailed({ file: this.#name, why: error instanceof Error ? error.message : '' })));
    }
  }
}

/** Says what such a file does; where it does that, a person has to agree. */
async function agree({ warning, program }: Mirror, file: string, { workspace }: Place): Promise<void> {
  const { err } = terminalOf(process);
  err.line(inWords(warning));
  const place = (await findProgram(program, workspace)) ?? (await findProgram(program, dirname(dirname(file))));
  if (place === undefined) return;
  const told = { program, place: shownPath(place) };
  if (!canAsk()) throw new ThoughtTreeError('bad-input', say.mirrorNeedsTerminal(told));
  if (!(await askYes(inWords(say.mirrorAll(told))))) throw new ThoughtTreeError('declined', say.mirrorDeclined());
}

/** Tells what others want, with the commands that accept it. */
function linesOf({ changes, notes }: MirrorAsk, place: Place): Message[] {
  const commands = changes.map(({ type, change }) => {
    const words = [...commandName(), 'redirect', shownPath(place.folder), '--type', type, '--change'];
    return say.acceptBy({ command: shellCommand([...words, JSON.stringify(change)]) });
  });
  return [...notes, ...commands, say.thenRemove()];
}
