import { setImmediate } from 'node:timers/promises';
import { BETWEEN } from '../files/source-file.ts';
import { findAssigned } from './find/find-assigned.ts';
import { findByLibrary } from './find/find-by-library.ts';
import { findInAddresses } from './find/find-in-addresses.ts';
import { findInManifests } from './find/find-in-manifests.ts';
import { findInRows } from './find/find-in-rows.ts';
import { findRandom } from './find/find-random.ts';
import { findKeyBlocks } from './find/key-blocks.ts';
import { findTokens } from './find/token-shapes.ts';
import { leaveOut } from './leave-out.ts';
import type { FoundSecrets, HiddenText } from './secret-filter.ts';
import { merged, type Span } from './span.ts';

type Find = (path: string, text: string) => readonly Span[] | Promise<readonly Span[]>;

const FINDERS: readonly Find[] = [
  (_path, text) => findTokens(text),
  findAssigned,
  (_path, text) => findRandom(text),
  (_path, text) => findInAddresses(text),
  findInRows,
  (_path, text) => findInManifests(text),
  (_path, text) => findByLibrary(text),
];
/** In longer texts, the process yields between one kind of secret and the next. */
const LONG = 50_000;

/**
 * Replaces everything that looks like a secret by `[secret left out]`.
 * @param path of the file that contains the text: programs, settings and prose are interpreted differently
 */
export async function hideSecrets(path: string, text: string): Promise<HiddenText> {
  const { spans, count } = await findSecrets(path, text);
  return { text: leaveOut(text, spans), secrets: count };
}

/** Finds everything that looks like a secret. @param path as for `hideSecrets` */
export async function findSecrets(path: string, written: string): Promise<FoundSecrets> {
  // Lines of a notebook that are on one of its file are lines here, in as many characters.
  const text = written.replaceAll(BETWEEN, '\n'.padEnd(BETWEEN.length));
  const keys = findKeyBlocks(text);
  const rows = merged(keys.flat());
  const found: Span[] = [];
  for (const find of FINDERS) {
    for (const span of await find(path, text)) found.push(span);
    if (text.length > LONG) await setImmediate();
  }
  const single = merged(found).filter((span) => !rows.some((row) => span.start < row.end && row.start < span.end));
  return { spans: merged([...rows, ...single]), count: keys.length + single.length };
}
