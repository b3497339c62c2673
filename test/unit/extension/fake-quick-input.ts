import { EventEmitter } from './fake-events.ts';

export const QuickInputButtons = { Back: { iconPath: 'back' } };

/** Where what is shown is kept, and who answers it. */
interface Person {
  quickPick: FakeQuickPick | undefined;
  readonly inputs: FakeInputBox[];
  readonly picks: FakeItem[][];
  readonly answer: (question: unknown) => unknown;
}

interface FakeItem {
  readonly label: string;
  readonly name?: string;
}

/** A list that fills while it is shown: it is answered when nothing more is to come, by an item of it. */
export class FakeQuickPick {
  readonly #person: Person;
  title = '';
  items: FakeItem[] = [];
  selectedItems: FakeItem[] = [];
  activeItems: FakeItem[] = [];
  isShown = false;
  readonly #accepted = new EventEmitter<undefined>();
  readonly #hidden = new EventEmitter<undefined>();
  readonly #pressed = new EventEmitter<{ item: unknown }>();
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidTriggerItemButton = this.#pressed.event;
  readonly #button = new EventEmitter<unknown>();
  readonly onDidTriggerButton = this.#button.event;
  #busy = false;
  constructor(person: Person) {
    this.#person = person;
  }
  get busy(): boolean {
    return this.#busy;
  }
  set busy(busy: boolean) {
    this.#busy = busy;
    if (!busy && this.isShown) setImmediate(() => this.#answer());
  }
  show(): void {
    this.isShown = true;
    this.#person.quickPick = this;
  }
  #answer(): void {
    this.#person.picks.push(this.items);
    const answer = this.#person.answer(this.items);
    if (answer === 'wait') return;
    if (answer === QuickInputButtons.Back) this.#button.fire(answer);
    else if (answer) this.accept(answer as FakeItem);
    else this.hide();
  }
  accept(item: FakeItem): void {
    this.selectedItems = [item];
    this.#accepted.fire(undefined);
  }
  hide(): void {
    this.#hidden.fire(undefined);
  }
  readonly press = (item: unknown): void => this.#pressed.fire({ item });
  dispose(): void {
    this.isShown = false;
  }
}

/**
 * An input that is answered soon after it is shown: by a text, by one of its buttons, or by nothing, which hides it. What is
 * typed before it is left comes as `{ typed }`.
 */
export class FakeInputBox {
  readonly #person: Person;
  value = '';
  buttons: unknown[] = [];
  validationMessage: unknown = undefined;
  readonly #changed = new EventEmitter<string>();
  readonly #accepted = new EventEmitter<undefined>();
  readonly #hidden = new EventEmitter<undefined>();
  readonly #pressed = new EventEmitter<unknown>();
  readonly onDidChangeValue = this.#changed.event;
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidTriggerButton = this.#pressed.event;
  constructor(person: Person) {
    this.#person = person;
  }
  /** What was there before anybody typed. */
  given = '';
  show(): void {
    this.given = this.value;
    this.#person.inputs.push(this);
    setImmediate(() => this.#answer());
  }
  #answer(): void {
    const answer = this.#person.answer(this);
    if (typeof answer === 'string') {
      this.#type(answer);
      this.#accepted.fire(undefined);
      if (this.validationMessage !== undefined) this.#hidden.fire(undefined);
    } else if (typeof answer === 'object' && answer !== null && 'typed' in answer) {
      this.#type(String(answer.typed));
      this.#hidden.fire(undefined);
    } else if (answer === undefined) this.#hidden.fire(undefined);
    else this.#pressed.fire(answer);
  }
  #type(text: string): void {
    this.value = text;
    this.#changed.fire(text);
  }
  dispose(): void {}
}
