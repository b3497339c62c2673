/** Shorter words would be found in any text. */
const SHORTEST = 6;
const MARK = '[key]';

/**
 * Whether a word is like a key, so that it can be taken out of a document without harm: servers at home are given words
 * such as `ollama` or `not-needed` where they want some key.
 */
export function isKeyLike(secret: string | undefined): secret is string {
  const trimmed = secret?.trim() ?? '';
  return trimmed.length >= SHORTEST && !/^[a-z]+([-_ ][a-z]+)*$/i.test(trimmed);
}

/** Takes secrets out of a text. */
type Redact = (text: string) => string;

/**
 * What takes these secrets out of texts, also where they are written as in an address, in JSON, or in base64 as a
 * header does. Words of fewer than six characters are too short to be told from others and stay.
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
  // The longest first: one secret may begin with another.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((safe, form) => safe.replaceAll(form, MARK), text);
}

/** The forms that a secret has inside of base64, wherever it begins there: less what its neighbours decide. */
function base64Of(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  return [0, 1, 2].flatMap((shift) => {
    const padded = String.fromCharCode(...new Uint8Array(shift), ...bytes);
    const whole = Math.floor((padded.length * 8) / 6);
    const form = btoa(padded).slice(Math.ceil((shift * 8) / 6), whole);
    return form.length < SHORTEST + 2 ? [] : [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
