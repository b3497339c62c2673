const works = new Set<() => void>();

process.once('exit', () => {
  // What came last goes first: a server before the folder that it writes into.
  for (const work of [...works].reverse())
    try {
      work();
    } catch (error) {
      process.stderr.write(`${String(error)}\n`);
    }
});

/**
 * Does something when this process ends, with one listener for all that ask.
 * @returns calls it off
 */
export function atExit(work: () => void): () => void {
  works.add(work);
  return () => void works.delete(work);
}
