/** Shorter words would match in any text. */
const SHORTEST = 6;
const MARK = '[key]';

/**
 * Tells whether a word looks like a key, so that it can be removed from a document without harm: local servers that
 * require some key are given words such as `ollama` or `not-needed`.
 */
export function isKeyLike(secret: string | undefined): secret is string {
  const trimmed = secret?.trim() ?? '';
  return trimmed.length >= SHORTEST && !/^[a-z]+([-_ ][a-z]+)*$/i.test(trimmed);
}

/** Removes secrets from a text. */
type Redact = (text: string) => string;

/**
 * Makes a function that removes these secrets from texts, including their URL-encoded, JSON and base64 forms (as in a
 * header). Words of fewer than six characters are too common to be recognized and stay.
 */
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  const ordered = formsOf(secrets);
  return (text) => ordered.reduce((safe, form) => safe.replaceAll(form, MARK), text);
}

/**
 * Makes a function that removes these secrets from a text that comes in pieces. It returns what of the text is safe to show by
 * now: a piece that ends with what may be the beginning of a secret is held back until more of it comes, or `isEnd`.
 */
export function redactorOfPieces(secrets: readonly (string | undefined)[]): (piece: string, isEnd?: boolean) => string {
  const forms = formsOf(secrets);
  let held = '';
  return (piece, isEnd = false) => {
    const text = held + piece;
    let safe = '';
    let at = 0;
    for (; at < text.length; ) {
      const rest = text.slice(at, at + (forms[0]?.length ?? 0));
      const isOpen = !isEnd && at + rest.length === text.length;
      if (isOpen && forms.some((form) => form.length > rest.length && form.startsWith(rest))) break;
      const form = forms.find((each) => rest.startsWith(each));
      safe += form === undefined ? text[at] : MARK;
      at += form?.length ?? 1;
    }
    held = text.slice(at);
    return safe;
  };
}

/** Returns the forms in which secrets appear, the longest first: one secret may begin with another. */
function formsOf(secrets: readonly (string | undefined)[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    const trimmed = secret?.trim() ?? '';
    if (trimmed.length < SHORTEST) continue;
    for (const form of [trimmed, encodeURIComponent(trimmed.toWellFormed()), JSON.stringify(trimmed).slice(1, -1)])
      forms.add(form);
    for (const form of base64Of(trimmed)) forms.add(form);
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

/**
 * Returns the forms of a secret inside base64 at each alignment, without the characters that depend on its neighbours.
 */
function base64Of(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  return [0, 1, 2].flatMap((shift) => {
    const padded = String.fromCharCode(...new Uint8Array(shift), ...bytes);
    const whole = Math.floor((padded.length * 8) / 6);
    const form = btoa(padded).slice(Math.ceil((shift * 8) / 6), whole);
    return form.length < SHORTEST + 2 ? [] : [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
