/** A coordinate, with as many digits as can be seen. */
export function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** XML does not allow them. */
const CONTROLS = /[[\p{Cc}--[\t\n]]\ufffe\uffff]/gv;

/** A text between tags; what XML cannot hold becomes spaces. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(CONTROLS, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** The value of an attribute in double quotes. */
export function attribute(text: string): string {
  return escaped(text).replaceAll('"', '&quot;');
}
