/** Tells whether the text of a JSON file breaks off, or has zeros in it, as after a loss of power. */
export function isTorn(text: string): boolean {
  return text.trim() === '' || text.includes('\0') || breaksOff(text);
}

/** Tells whether brackets or a string are open at the end. */
function breaksOff(text: string): boolean {
  let open = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '[' || char === '{') open++;
    else if (char === ']' || char === '}') open--;
  }
  return inString || open > 0;
}
