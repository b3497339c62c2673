type Searches = typeof import('../searches/searches.ts')['searches'];

/** Returns the engine and everything needed for models and searches: a separate bundle, loaded on first use. */
export async function loadSearches(): Promise<Searches> {
  return (await import('../searches/searches.ts')).searches;
}
