import { readFileSync } from 'node:fs';
import { type Message, messageOf, plain, type Translation, textOf } from '../../core/messages/message.ts';

const SHIPPED = new URL('../l10n/', import.meta.url);

/** Sets the language, in place of the environment's; for tests. */
export function speak(translation: Translation | undefined): void {
  own = { translation };
}

let own: { readonly translation: Translation | undefined } | undefined;

/** Returns the language of this process; undefined for English, and if the program has no texts in that language. */
export function ownTranslation(): Translation | undefined {
  own ??= { translation: translationFor(process.env) };
  return own.translation;
}

/** Returns a message in the language of this process. */
export function inWords(message: Message): string {
  return textOf(message, ownTranslation());
}

/** Labels and the texts of the help, found in a translation by their English; the same is in the editor. */
export const l10n = {
  /** @param text a plain literal, so that translators get it */
  t: (text: string): string => inWords(plain(text)),
};

/** Returns a text of a kind, with values for `{0}`, `{1}`. */
export function kindText(text: string, ...values: readonly (string | number)[]): string {
  return inWords(plain(text, ...values));
}

/** Does the same for a message from disk; without data for a translation, it is shown in English. */
export function keptInWords(english: string, say: unknown): string {
  return inWords(messageOf(english, say));
}

/**
 * The texts of the language set in the environment, as other programs read it: `LC_ALL=zh_CN.UTF-8`.
 * @param folder where the files of texts are; by default those that come with the program
 */
export function translationFor(env: NodeJS.ProcessEnv, folder = SHIPPED): Translation | undefined {
  const asked = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  const [, language = '', country] = /^([a-z]{2,3})(?:[_-]([a-z]{2}))?(?:[.@]|$)/i.exec(asked) ?? [];
  for (const tag of country ? [`${language}-${country}`, language] : [language]) {
    const texts = tag === '' ? undefined : textsIn(new URL(`bundle.l10n.${tag.toLowerCase()}.json`, folder));
    if (texts) return { language: tag, texts };
  }
  return undefined;
}

function textsIn(file: URL): Record<string, string> | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch {
    return undefined; // no such language
  }
}
