import type { ReadStore } from '../../../core/ports/store.ts';
import type { SearchFile } from '../../../core/search/search-file.ts';

/** The id of an investigation for other programs; one that the engine leads has none, and gets the same each time. */
export function sessionIdOf(
  { options, prompt, createdAt = '' }: SearchFile,
  { hashOf }: Pick<ReadStore, 'hashOf'>,
): string {
  const { sessionId } = options as { sessionId?: unknown };
  if (typeof sessionId === 'string') return sessionId;
  const hex = hashOf(`${createdAt}\n${prompt}`);
  const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)];
  return `${a}-${b}-4${c}-8${d}-${hex.slice(20)}`; // in the form of random ones, version 4
}
