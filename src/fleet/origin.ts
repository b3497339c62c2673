/** What names a server of one's own in a call; undefined where the provider's own is meant. */
export function originOf(baseUrl: string | undefined): string | undefined {
  const given = baseUrl?.trim();
  if (!given) return undefined;
  const { origin } = URL.parse(given) ?? {};
  return origin === 'null' ? undefined : origin;
}
