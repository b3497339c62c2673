/** Keeps a map from growing beyond so many entries, if that is done with each one that is added. */
export function forgetOldest(known: Map<string, unknown>, most: number): void {
  const oldest = known.keys().next();
  if (known.size > most && !oldest.done) known.delete(oldest.value);
}
