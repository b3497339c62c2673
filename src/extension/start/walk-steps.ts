import * as vscode from 'vscode';

/** The sign that a person goes back instead of answering; the same one in each bundle that contains this file. */
export const BACK: unique symbol = Symbol.for('thoughtTree.back');

/** An answer; undefined if the person cancels. */
export type Answered<T> = T | typeof BACK | undefined;

/** Where a step is in its walk: the editor shows "(2/3)" beside the title. */
export interface StepPlace {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

/** One question of several. */
export interface Step<D> {
  /** Tells whether it need not be asked; it still is if the person goes back to it. */
  readonly isAnswered: (draft: D) => boolean;
  readonly ask: (draft: D, place: Omit<StepPlace, 'title'>) => Promise<Answered<D>>;
}

/**
 * Asks one step after the other, back and forth, until all are answered; undefined if the person cancels.
 * @param stepsFor the steps for what is known so far: an answer may bring more of them, or make an earlier one open again
 */
export async function walkSteps<D>(first: D, stepsFor: (draft: D) => readonly Step<D>[]): Promise<D | undefined> {
  let draft = first;
  let back: number | undefined;
  for (;;) {
    const steps = stepsFor(draft);
    const open = steps.findIndex(({ isAnswered }) => !isAnswered(draft));
    const at: number = back ?? open;
    const step = steps[at];
    if (!step) return draft;
    const answer = await step.ask(draft, { step: at + 1, totalSteps: steps.length });
    if (answer === undefined) return undefined;
    back = answer === BACK ? Math.max(0, at - 1) : undefined;
    if (answer !== BACK) draft = answer;
  }
}

interface Asking {
  /** Undefined for a list that is no part of a walk. */
  readonly place: StepPlace;
  readonly placeholder?: string;
}

interface Picking<T extends vscode.QuickPickItem> extends Asking {
  /** Tells the most likely choice, which Enter takes; by default the first one. */
  readonly isActive?: (item: T) => boolean;
  readonly matchOnDetail?: boolean;
  /** Does what a button of an item is for; `change` with an item chooses that. */
  readonly onButton?: (item: T, change: (changed: T) => void, signal: AbortSignal) => void;
}

/** Lets a person pick one of some items, which may still be on their way. */
export async function pickStep<T extends vscode.QuickPickItem>(
  items: readonly T[] | Promise<readonly T[]>,
  { place, placeholder, isActive, matchOnDetail = false, onButton }: Picking<T>,
): Promise<Answered<T>> {
  const pick = vscode.window.createQuickPick<T>();
  const over = new AbortController();
  const picked = Promise.withResolvers<Answered<T>>();
  Object.assign(pick, { ...place, placeholder, matchOnDetail, ignoreFocusOut: true, busy: true });
  pick.buttons = place.step > 1 ? [vscode.QuickInputButtons.Back] : [];
  pick.onDidTriggerButton(() => picked.resolve(BACK));
  pick.onDidHide(() => picked.resolve(undefined));
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    if (item) picked.resolve(item);
  });
  pick.onDidTriggerItemButton(({ item }) => onButton?.(item, (changed) => replace(pick, item, changed), over.signal));
  pick.show();
  Promise.resolve(items)
    .then((shown) => {
      if (over.signal.aborted) return;
      pick.items = shown;
      // Without any, the editor's own choice stays: a list with no row in focus takes no Enter.
      const active = isActive ? shown.filter(isActive).slice(0, 1) : [];
      if (active.length > 0) pick.activeItems = active;
      pick.busy = false;
    })
    .catch((error: unknown) => picked.reject(error));
  try {
    return await picked.promise;
  } finally {
    over.abort();
    pick.dispose();
  }
}

function replace<T extends vscode.QuickPickItem>(pick: vscode.QuickPick<T>, { label }: T, changed: T): void {
  pick.items = pick.items.map((each) => (each.label === label ? changed : each));
  pick.activeItems = pick.items.filter((each) => each.label === changed.label).slice(0, 1);
}

interface Typing extends Asking {
  readonly prompt?: string;
  readonly value?: string;
  /** Returns what is wrong with a text; undefined if nothing is. */
  readonly validate: (text: string) => string | undefined;
  /** Other ways to answer. */
  readonly buttons?: readonly vscode.QuickInputButton[];
  /** Is told every change, so that nothing typed is lost. */
  readonly onType?: (text: string) => void;
}

/** Lets a person type a line, or press one of some buttons. */
export async function typeStep({
  place,
  placeholder,
  prompt,
  value = '',
  validate,
  buttons = [],
  onType,
}: Typing): Promise<Answered<string | vscode.QuickInputButton>> {
  const input = vscode.window.createInputBox();
  const typed = Promise.withResolvers<Answered<string | vscode.QuickInputButton>>();
  Object.assign(input, { ...place, placeholder, prompt, value, ignoreFocusOut: true });
  // All of it is selected: typing replaces it, and Enter takes it as it is.
  input.valueSelection = [0, value.length];
  input.buttons = [...(place.step > 1 ? [vscode.QuickInputButtons.Back] : []), ...buttons];
  input.onDidTriggerButton((button) => typed.resolve(button === vscode.QuickInputButtons.Back ? BACK : button));
  input.onDidHide(() => typed.resolve(undefined));
  input.onDidChangeValue((text) => {
    input.validationMessage = text.trim() === '' ? undefined : validate(text);
    onType?.(text);
  });
  input.onDidAccept(() => {
    const problem = validate(input.value);
    if (problem === undefined) typed.resolve(input.value);
    else input.validationMessage = problem;
  });
  input.show();
  try {
    return await typed.promise;
  } finally {
    input.dispose();
  }
}
