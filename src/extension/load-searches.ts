type Searches = typeof import('../searches/searches.ts')['searches'];

/** The engine, and all that models and searches need: a bundle of its own, loaded when a person first asks for it. */
export async function loadSearches(): Promise<Searches> {
  return (await import('../searches/searches.ts')).searches;
}
