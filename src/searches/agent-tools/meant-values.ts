import { jsonInText } from '../../core/text/loose-json.ts';

/** A value that is wanted, as an option or an argument says. */
interface Wanted {
  readonly name: string;
  readonly type: string;
}

/** The types whose values are texts. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'choice', 'name']);

/** Values by name, with what was written as text read as what is wanted: some clients write numbers and lists so. */
export function meantValues<V>(
  given: Readonly<Record<string, V>>,
  wanted: readonly Wanted[],
): Readonly<Record<string, V>> {
  const types = new Map(wanted.map(({ name, type }) => [name, type]));
  const read = ([name, value]: [string, V]): [string, V] => {
    const type = types.get(name) ?? 'text';
    const meant = typeof value === 'string' && !TEXTS.has(type) ? jsonInText(value) : undefined;
    return [name, (meant as V | undefined) ?? value];
  };
  return Object.fromEntries(Object.entries(given).map(read));
}
