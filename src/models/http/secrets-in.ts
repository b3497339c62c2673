/** The parts of an address that are secret: user, password, and what looks like a key among its parameters. */
export function secretsIn(address: string | undefined): string[] {
  const url = address === undefined ? null : URL.parse(address);
  if (!url) return [];
  const parameters = [...url.searchParams].flatMap(([name, value]) => (NO_SECRET.test(name) ? [] : [value]));
  return [url.password, decoded(url.password), ...parameters].filter((text) => text !== '');
}

const NO_SECRET = /^(api-)?version$/i;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
