/**
 * Does it until it works.
 * @param attempt gets how many milliseconds it may wait for an effect: more each time, so that a slow machine is not asked
 *   the same again before it could answer
 * @param within after so many milliseconds its last error is thrown
 */
export async function until(attempt: (patience: number) => Promise<void>, within: number): Promise<void> {
  const end = Date.now() + within;
  for (let patience = 1000; ; patience *= 1.5) {
    try {
      await attempt(patience);
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
