import type { KindFace } from '../core/kind/kind-face.ts';
import type { Message } from '../core/messages/message.ts';
import type { Model } from '../core/ports/model.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { FORMER_READ, type Read, type Reading, readingOf, readNamed } from '../core/search/reading.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import * as say from './messages.ts';
import { isFreeModel } from './models/choose-model.ts';
import type { OpenRequest } from './open-search.ts';
import { recallUse } from './trust/search-use.ts';
import { whyAskToRead } from './trust/wide-folder.ts';

// The choice of what models may see of the workspace, as far as a person is asked and told.

/**
 * Asks whether models may see files of a folder for which that does not go without saying, before anything is read or written.
 * @throws ThoughtTreeError `declined`
 */
export async function checkReading(request: OpenRequest, model: Model, file: SearchFile): Promise<void> {
  const { place, read, context, tools, isAgreed = true, mayRead } = request;
  const { context: isQuoted, tools: isLookedUp } = readingOf(
    { ...file.options, ...given({ read, context, tools }) },
    FORMER_READ,
  );
  // A model in this process sends nothing; where nobody agreed to one, none is called.
  if ((!isQuoted && !isLookedUp) || model.prose === false || isFreeModel(model.name) || !isAgreed) return;
  const why = await whyAskToRead(place.workspace);
  // A person who used the search here before agreed to this then.
  if (!why || (await recallUse(place.folder)).here?.allowed) return;
  if (!(await mayRead?.(why))) throw new ThoughtTreeError('declined', say.notRead({ why }));
}

function given(said: { readonly [K in 'read' | 'context' | 'tools']: OpenRequest[K] }): Partial<SearchFile['options']> {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** Tells whether a person says that models see nothing, and nothing else holds: then no named files are looked up. */
export function isBlindRun({ context, tools }: Reading, said: readonly (Read | undefined)[]): boolean {
  return !context && !tools && said.includes('nothing');
}

/**
 * Rejects what reads the folder whatever it is told.
 * @throws ThoughtTreeError `bad-input`
 */
export function rejectReaders(face: KindFace, models: readonly (Model | undefined)[]): void {
  if (face.takesWork) throw new ThoughtTreeError('bad-input', say.worksInFolder());
  const reader = models.find((model) => model?.most || model?.worksByItself);
  if (reader) throw new ThoughtTreeError('bad-input', say.readsByItself({ model: reader.name }));
}

/** The parts of the workspace that go to whom. */
export interface Sent {
  readonly read: Read;
  /** In a sentence. */
  readonly text: Message;
}

/** Says what of the workspace goes to whom; undefined where all models are in this process. */
export function sentOf(
  reading: Reading,
  { quotesOnly }: KindFace,
  folder: string,
  [model, judge]: readonly [Model, Model | undefined],
): Sent | undefined {
  const sent = [model, judge].filter((each) => each && each.prose !== false && !isFreeModel(each.name));
  if (sent.length === 0) return undefined;
  const tools = reading.tools && model.tools === true && !quotesOnly;
  const read = readNamed({ ...reading, tools });
  const models = [...new Set(sent.map((each) => each?.label))].join(', ');
  return { read, text: sentText(read, models, folder) };
}

/** @param models their names */
export function sentText(read: Read, models: string, folder: string): Message {
  return SENT[read]({ models, folder });
}

const SENT = { nothing: say.sentNothing, quotes: say.sentQuotes, tools: say.sentTools } as const;
