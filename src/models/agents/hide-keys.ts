import { mapTexts } from '../../core/messages/message.ts';
import type { ModelAnswer } from '../../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { isKeyLike } from '../../core/text/redact.ts';
import { withoutSecret } from '../http/failures/foreign-text.ts';

/**
 * An agent's output, or its error, without the keys that it was given: a server that echoes one must not get it into a
 * file.
 * @throws the error of `say`, its message redacted
 */
export function hideKeys(keys: readonly (string | undefined)[], say: () => ModelAnswer): ModelAnswer {
  const clean = (text: string): string =>
    keys.reduce<string>((left, key) => (isKeyLike(key) ? withoutSecret(left, key) : left), text);
  try {
    const answer = say();
    return { ...answer, text: clean(answer.text) };
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    throw new ThoughtTreeError(error.reason, mapTexts(error.say, clean), error.details);
  }
}
