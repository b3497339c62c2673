const MAX_LENGTH = 240;
/** The number of consecutive characters that reveals too much of a secret; some servers repeat both ends of a key. */
const TELLING = 8;

/** A server's text made fit for a message: one line, without the secret, markup and control characters, bounded. */
export function foreignText(text: string, secret: string | undefined): string {
  // Before anything is cut off, or part of the secret could remain.
  let safe = withoutSecret(text, secret);
  if (/<(!doctype|html|head|body)\b/i.test(safe)) return 'a web page';
  safe = safe.replace(/[\p{C}\s]+/gu, ' ').trim();
  return safe.length > MAX_LENGTH ? `${safe.slice(0, MAX_LENGTH).toWellFormed()}…` : safe;
}

/** A text with `[key]` in place of the secret and of any eight or more consecutive characters of it, also URL-encoded. */
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

/** For ASCII letters only: others could change the length, and do not occur in keys. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
