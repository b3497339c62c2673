import { markWords } from '../../core/citations/messages.ts';
import type { Entry } from '../../core/messages/message.ts';
import { stateWords } from '../../core/search/messages.ts';
import { leafWords, prunedWords, statusWords } from '../../core/tree/messages.ts';

type Words = Readonly<Record<string, string>>;

/**
 * The texts of a panel's page: those in the editor's language and, by key, the words that the panel shares with the rest,
 * in English if there is no translation.
 */
export function pageWords(bundle: Words = {}): Words {
  const shared: readonly Readonly<Record<string, Entry<object>>>[] = [
    statusWords,
    prunedWords,
    leafWords,
    stateWords,
    markWords,
  ];
  const english = shared.flatMap((words) => Object.values(words).map((word) => Object.entries(word.english)));
  return { ...Object.fromEntries(english.flat()), ...bundle };
}
