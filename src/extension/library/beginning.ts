import * as vscode from 'vscode';
import type { KindTerms } from '../../core/kind/kind-descriptor.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Search } from '../../engine/search.ts';
import { keptText, translated } from '../message-text.ts';
import { planOpen, resumeBegins } from '../messages.ts';

/** A search that this window holds until it runs: its plan is made, and shown to a person. It can be stopped all the while. */
export class Beginning {
  readonly #stopped = Promise.withResolvers<never>();
  readonly #over = Promise.withResolvers<void>();
  #isOver = false;

  constructor() {
    this.#stopped.promise.catch(() => undefined);
  }

  /** Rejects with `declined` once it is stopped. */
  get stopped(): Promise<never> {
    return this.#stopped.promise;
  }

  /** Stops it; resolves when the search runs, or nobody holds it any more. */
  stop(): Promise<void> {
    this.#stopped.reject(new ThoughtTreeError('declined', resumeBegins()));
    return this.#over.promise;
  }

  /** It runs, or was given back. */
  end(): void {
    this.#isOver = true;
    this.#over.resolve();
  }

  /** Returns the search for requests of other processes: until it runs, pausing it is to stop its beginning. */
  steered(search: Search): Pick<Search, 'act' | 'kind' | 'lose'> {
    return {
      kind: search.kind,
      lose: (error) => search.lose(error),
      act: async (call, by) => {
        if (this.#isOver || call.action !== 'pause') return await search.act(call, by);
        void this.stop(); // giving it back waits for the answer to this request
        return { value: {}, say: resumeBegins() };
      },
    };
  }
}

/** A person wants to edit the plan in this file before the search begins. */
export class PlanToEdit extends ThoughtTreeError {
  readonly file: string;

  constructor(file: string) {
    super('declined', planOpen({ file }));
    this.file = file;
  }
}

/** Until the first nodes exist, a progress notification lets the person cancel what they began. */
export function tellBeginning(search: Search, over: Promise<void>, { beginning }: KindTerms): void {
  const divided = Promise.withResolvers<void>();
  let report: (said: string) => void = () => undefined;
  const forget = search.listen((event) => {
    if (event.type === 'node-added' && event.node === '') divided.resolve();
    if (event.type === 'progress' && event.call !== undefined) report(keptText(event.text, event.say));
  });
  const begun = Promise.race([divided.promise, over]).finally(forget);
  const title = `"${oneLine(search.file.title, 100)}": ${translated(beginning)}`;
  const location = vscode.ProgressLocation.Notification;
  void vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    report = (message) => progress.report({ message });
    token.onCancellationRequested(() => search.pause(true));
    await begun;
  });
}
