import type { Message } from '../../../../core/messages/message.ts';
import type { ThoughtTreeError } from '../../../../core/search/errors.ts';
import { oneLine } from '../../../../core/text/text.ts';
import { type ReadYaml, wrongLine } from '../../yaml/read-yaml.ts';
import { isFields } from '../../yaml/same.ts';
import * as say from '../messages.ts';

type Path = readonly (string | number)[];

/** A value in a state file, which knows where it is. What is null counts as missing, as an empty section is. */
export class Part {
  readonly value: unknown;
  readonly #path: Path;
  readonly #file: string;
  readonly #yaml: ReadYaml;

  constructor(yaml: ReadYaml, file: string, value: unknown = yaml.value, path: Path = []) {
    this.value = value;
    this.#path = path;
    this.#file = file;
    this.#yaml = yaml;
  }

  /** Its last name, for people. */
  get name(): string {
    return oneLine(String(this.#path.findLast((part) => typeof part === 'string') ?? this.#file), 100);
  }

  get isMapping(): boolean {
    return isFields(this.value);
  }

  get isList(): boolean {
    return Array.isArray(this.value);
  }

  /** The value under a name; undefined if there is none. @throws ThoughtTreeError `damaged` if this is no mapping */
  get(name: string): Part | undefined {
    return this.#below(this.#fields(), name);
  }

  /** @throws ThoughtTreeError `damaged` if there is none, with the line of its name if that is all there is */
  need(name: string): Part {
    const found = this.get(name);
    if (found) return found;
    const place = Object.hasOwn(this.#fields(), name) ? this.#at(undefined, name) : this;
    throw place.wrong(say.missingPart({ name }));
  }

  /** All names with their values. */
  entries(): [string, Part][] {
    const fields = this.#fields();
    return Object.keys(fields).map((name) => [name, this.#at(fields[name], name)]);
  }

  /** The items of a list. */
  items(): Part[] {
    if (!Array.isArray(this.value)) throw this.wrong(say.notList({ name: this.name }));
    return this.value.map((item: unknown, i) => this.#at(item, i));
  }

  /** The items of a list; a single value is a list of one. */
  itemsOrOne(): Part[] {
    return this.isList || this.isMapping ? this.items() : [this];
  }

  /** A text; numbers and `true` are texts as well. */
  text(): string {
    const { value } = this;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw this.wrong(say.notText({ name: this.name }));
  }

  /** A whole number of at least `least`. */
  count(least = 0): number {
    const { value } = this;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
    throw this.wrong(say.notNumber({ name: this.name }));
  }

  isTrue(): boolean {
    if (typeof this.value === 'boolean') return this.value;
    throw this.wrong(say.notYesNo({ name: this.name }));
  }

  wrong(why: Message): ThoughtTreeError {
    return wrongLine(this.#file, this.#yaml.lineOf(this.#path), why);
  }

  #fields(): Readonly<Record<string, unknown>> {
    if (isFields(this.value)) return this.value;
    throw this.wrong(say.notMapping({ name: this.name }));
  }

  #below(fields: Readonly<Record<string, unknown>>, name: string): Part | undefined {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return value === undefined || value === null ? undefined : this.#at(value, name);
  }

  #at(value: unknown, part: string | number): Part {
    return new Part(this.#yaml, this.#file, value, [...this.#path, part]);
  }
}
