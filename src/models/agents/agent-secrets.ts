import { isKeyLike } from '../../core/text/redact.ts';
import { secretsIn } from '../http/secrets-in.ts';
import { isCommon } from './agent-environment.ts';

/** Matches the names of variables that hold a key. */
const KEY_NAME = /KEY|TOKEN|SECRET|PASS|PWD|AUTH|CREDENTIAL|SIGNATURE/i;

/**
 * Returns the texts that must not come back from an agent: its own keys, others that the person gave it, and the
 * passwords in addresses such as those of proxies.
 * @param env the environment of its process
 * @param own the names of the variables that hold its own keys
 */
export function agentSecrets(env: Readonly<Record<string, string>>, own: readonly string[]): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const isSecret = own.includes(name.toUpperCase()) || (!isCommon(name) && holdsKey(name, value));
    return [...(isSecret ? [value.trim()] : []), ...secretsIn(value)];
  });
}

/** Not true of every variable: an account's region or a folder may well occur in a document. */
function holdsKey(name: string, value: string): boolean {
  const text = value.trim();
  if (!isKeyLike(text) || /^\d{1,12}$/.test(text) || /^[a-z]+:\/\//i.test(text)) return false;
  return KEY_NAME.test(name) ? !isFile(name, text) : looksRandom(text);
}

function isFile(name: string, text: string): boolean {
  return /^([a-z]:)?[/\\]/i.test(text) && /CREDENTIAL|FILE|PATH|SOCK|DIR/i.test(name);
}

/** Long, without spaces, mixing upper case, lower case and digits; or a long hexadecimal number. */
function looksRandom(text: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(text)) return true;
  return /^[\w+=.~-]{20,}$/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
}
