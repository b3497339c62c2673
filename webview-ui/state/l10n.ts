/** The words that the page came with, by their English ones; English itself needs none. */
const words = readWords();

/** Texts in the editor's language, in the form of the editor's own `l10n`, so that both are gathered alike. */
export const l10n = {
  /** @param text English, with places {0}, {1}, … for the values */
  t(text: string, ...values: readonly (string | number)[]): string {
    return (words[text] ?? text).replaceAll(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)] ?? ''));
  },
};

/** A text of the search's kind, which its face has and no call of `l10n.t` names. */
export const said: typeof l10n.t = l10n.t;

/** A word that the panel shares with its host, by its key there. */
export function term(key: string): string {
  return words[key] ?? '';
}

/** The language that numbers are written in. */
export const language = globalThis.document?.documentElement.lang || undefined;

function readWords(): Readonly<Record<string, string>> {
  const text = globalThis.document?.getElementById('words')?.textContent;
  return text ? (JSON.parse(text) as Record<string, string>) : {};
}
