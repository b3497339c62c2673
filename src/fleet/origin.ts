/** Returns the origin that names a person's own server in a call; undefined where the provider's own is meant. */
export function originOf(baseUrl: string | undefined): string | undefined {
  const given = baseUrl?.trim();
  if (!given) return undefined;
  const { origin } = URL.parse(given) ?? {};
  return origin === 'null' ? undefined : origin;
}
