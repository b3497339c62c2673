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
  const forms = new Set<string>();
  for (const secret of secrets) {
    const trimmed = secret?.trim() ?? '';
    if (trimmed.length < SHORTEST) continue;
    for (const form of [trimmed, encodeURIComponent(trimmed.toWellFormed()), JSON.stringify(trimmed).slice(1, -1)])
      forms.add(form);
    for (const form of base64Of(trimmed)) forms.add(form);
  }
  // Longest first: one secret may begin with another.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((safe, form) => safe.replaceAll(form, MARK), text);
}

/** The forms of a secret inside base64 at each alignment, without the characters that depend on its neighbours. */
function base64Of(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  return [0, 1, 2].flatMap((shift) => {
    const padded = String.fromCharCode(...new Uint8Array(shift), ...bytes);
    const whole = Math.floor((padded.length * 8) / 6);
    const form = btoa(padded).slice(Math.ceil((shift * 8) / 6), whole);
    return form.length < SHORTEST + 2 ? [] : [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
