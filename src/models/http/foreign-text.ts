const MAX_LENGTH = 240;
/** Characters in a row that give away too much of a secret; some servers repeat the beginning and the end of a key. */
const TELLING = 8;

/** Words of a server made fit for a message: one line, without the secret, markup and control characters, bounded. */
export function foreignText(text: string, secret: string | undefined): string {
  // Before anything is cut off, or a part of the secret could stay.
  let safe = withoutSecret(text, secret);
  if (/<(!doctype|html|head|body)\b/i.test(safe)) return 'a web page';
  safe = safe.replace(/[\p{C}\s]+/gu, ' ').trim();
  return safe.length > MAX_LENGTH ? `${safe.slice(0, MAX_LENGTH).toWellFormed()}…` : safe;
}

/** A text with `[key]` in place of the secret and of every eight or more characters of it, also URL-encoded. */
export function withoutSecret(text: string, secret: string | undefined): string {
  if (!secret) return text;
  const forms = [secret, encodeURIComponent(secret), encodeURIComponent(encodeURIComponent(secret))].map(lowerCase);
  const size = Math.min(TELLING, secret.length);
  const windows = new Set(forms.flatMap((form) => windowsOf(form, size)));
  const searched = lowerCase(text);
  let safe = '';
  let hidden = 0;
  for (let at = 0; at < text.length; at++) {
    const starts = windows.has(searched.slice(at, at + size));
    if (starts && at >= hidden) safe += '[key]';
    if (starts) hidden = at + size;
    if (at >= hidden) safe += text[at];
  }
  return safe;
}

function windowsOf(text: string, size: number): string[] {
  return Array.from({ length: text.length - size + 1 }, (_, at) => text.slice(at, at + size));
}

/** Of ASCII letters alone: others could change the length, and no key has them. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
