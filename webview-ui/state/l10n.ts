/** The page's translations, by their English texts; English itself needs none. */
const words = readWords();

/** Texts in the editor's language, with the interface of the editor's own `l10n`, so that both are collected alike. */
export const l10n = {
  /** @param text English, with placeholders {0}, {1}, … for the values */
  t(text: string, ...values: readonly (string | number)[]): string {
    return (words[text] ?? text).replaceAll(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)] ?? ''));
  },
};

/** A text of the search's kind, which is in its descriptor and in no call of `l10n.t`. */
export const said: typeof l10n.t = l10n.t;

/** Returns a word that the panel shares with its host, by its key there. */
export function term(key: string): string {
  return words[key] ?? '';
}

/** The language in which numbers are formatted. */
export const language = globalThis.document?.documentElement.lang || undefined;

function readWords(): Readonly<Record<string, string>> {
  const text = globalThis.document?.getElementById('words')?.textContent;
  return text ? (JSON.parse(text) as Record<string, string>) : {};
}
