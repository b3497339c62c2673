import type { AssignedValue } from './find/assigned-values.ts';
import { isPlaceholder } from './placeholders.ts';
import type { SecretName } from './secret-names.ts';
import { isHex, isName, isPasswordLike, isRandom, isStrongPassword, isUuid } from './value-strength.ts';

type HowAssigned = Pick<AssignedValue, 'quoted' | 'by'> & {
  /** True if it is in a settings file, where a bare word is a value. */
  readonly isSetting: boolean;
};

/** Tells whether a name's value is a secret: the clearer the relation and the name, the less is asked of the value. */
export function isSecret(name: SecretName, said: string, how: HowAssigned): boolean {
  switch (name.kind) {
    case 'password':
      return isPassword(name, said, how);
    case 'secret':
      return isToken(said, how);
    case 'key':
    case 'named-key':
      return isKey(name, said, how);
    case 'near':
      return false;
  }
}

function isPassword({ text }: SecretName, said: string, { quoted, by, isSetting }: HowAssigned): boolean {
  if (by !== 'sign') return isStrongPassword(said) || (quoted && isPasswordLike(said) && !isName(said));
  return (
    isPasswordLike(said) || isNumber(said, 6) || ((quoted || isSetting) && NOTHING_ELSE.test(text) && isWord(said))
  );
}

/** Names whose value can only be a password, however simple. */
const NOTHING_ELSE = /(?:password|passwd|pwd|passphrase|passcode)$/i;

/** A word, or several in a row, as in simple passwords; but not a word about passwords. */
function isWord(said: string): boolean {
  if (!/^[A-Za-z]+(?:[-_.][A-Za-z]+)*$/.test(said) || said.length < 6 || isPlaceholder(said)) return false;
  return !/pass|pwd|word|secret|token|credential|invalid|require|submit|optional|hidden|differ|match|same|reset|forgot|passe|senha|salas/i.test(
    said,
  );
}

function isNumber(said: string, least: number): boolean {
  return (
    /^\d{1,40}$/.test(said) && said.length >= least && new Set(said).size >= 4 && !/012345|123456|987654/.test(said)
  );
}

function isToken(said: string, { quoted, by }: HowAssigned): boolean {
  if (isRandom(said, by === 'sign' ? 14 : 16) || (said.length >= 12 && isMixed(said))) return true;
  if (by === 'sentence') return false;
  if (isUuid(said)) return true;
  if (by === 'place') return false;
  return isNumber(said, 20) || (quoted && said.length >= 8 && isPasswordLike(said) && !isName(said));
}

/** Upper case, lower case and digits, mixed as in no name. */
function isMixed(said: string): boolean {
  return /^[\w+/=-]+$/.test(said) && /\d\D*\d/.test(said) && isStrongPassword(said);
}

function isKey({ kind }: SecretName, said: string, { by }: HowAssigned): boolean {
  if (by === 'sentence' || !isRandom(said, 16) || (by === 'place' && said.length < 32)) return false;
  return !isHex(said) || (kind === 'named-key' && said.length >= 32);
}
