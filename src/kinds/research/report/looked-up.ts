import type { Message } from '../../../core/messages/message.ts';
import { type Lookup, type LookupPlace, lookupIn, type Skipped } from '../../../core/ports/lookup.ts';
import { answerFor } from '../../../core/search/conversation.ts';
import { ROOT_SESSION } from '../../../engine/calls/root-session.ts';
import { placeOf } from '../../../engine/report/link-target.ts';
import { fenced, plainLine, visibleText } from '../../../engine/report/safe-markdown.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import type { Material } from './material.ts';
import * as say from './messages.ts';

/** A report begins with so many places. */
const MOST_PLACES = 3;
const LONGEST_SENTENCE = 300;
const LONGEST_NAME = 200;
const MOST_EXAMPLES = 3;

/** How a model that writes no words of its own looked the question up; undefined for others, and for old searches. */
export async function readLookup({ model, store }: SearchContext): Promise<Lookup | undefined> {
  if (model.prose !== false) return undefined;
  const conversation = await store.readConversation(ROOT_SESSION);
  const answer = conversation && answerFor(conversation, 'children');
  return answer && lookupIn(answer.text);
}

/**
 * The beginning of a report by such a model: up to three places, each a sentence, its link and the line that decides; then
 * what was searched, and what was not.
 */
export function lookedUp(material: Material, lookup: Lookup): string[] {
  const { ctx } = material;
  // A person may have pruned or removed a topic since.
  const wanted = new Set(ctx.tree.root.children.filter(({ status }) => status !== 'pruned').map(({ title }) => title));
  const places = lookup.places.filter(({ title }) => wanted.has(title)).slice(0, MOST_PLACES);
  const shown = places.flatMap((place, at) => answerAt(material, place, places.length > 1 ? `${at + 1}. ` : ''));
  return [...shown, `_${searched(material, lookup)}_`];
}

function answerAt({ ctx }: Material, place: LookupPlace, number: string): string[] {
  const target = placeOf(ctx.tree, ctx.folder, '', place.link);
  const name = plainLine(place.place, LONGEST_NAME);
  const link = target && !target.node ? `[${name}](${target.link})` : name;
  // Not a list: its number would need the code below it indented, and a reader has to copy that.
  const mark = number === '' ? '' : `**${number.trim()}** `;
  const [code = ''] = visibleText(place.code).split('\n');
  return [`${mark}${plainLine(place.says, LONGEST_SENTENCE)} (${link})`, fenced([code], place.language)];
}

/** Says that there is no answer, what was not found, and what to try. */
export function nothingFound(material: Material, lookup: Lookup): string[] {
  const { near, guess } = lookup;
  const names = near.map((name) => plainLine(`\`${name}\``, LONGEST_NAME)).join(', ');
  const tries = [near.length > 0 ? say.tryNear({ names }) : say.tryName(), say.tryWords(), say.tryModel()];
  const facts = [missing(lookup), skipped(material, lookup)].flatMap((fact) => fact ?? []);
  return [
    [say.noGoodPlace({ count: lookup.files }), ...facts].map((message) => material.show(message)).join(' '),
    ...(guess ? [material.show(say.nearestPlace()), ...answerAt(material, guess, '')] : []),
    material.show(say.whatToTry()),
    tries.map((message) => `- ${material.show(message)}`).join('\n'),
  ];
}

function searched(material: Material, lookup: Lookup): string {
  const { files: count, read, near } = lookup;
  const names = near.map((name) => plainLine(`\`${name}\``, LONGEST_NAME)).join(', ');
  const without = missing(lookup);
  const facts = [
    lookup.isOverview ? say.overview() : read < count ? say.lookedCloselyIn({ count, read }) : say.lookedIn({ count }),
    without,
    without && near.length > 0 ? say.spelledAlike({ names }) : undefined,
    skipped(material, lookup),
  ];
  return facts.flatMap((fact) => (fact ? material.show(fact) : [])).join(' ');
}

function missing({ missing: words, skipped: left }: Lookup): Message | undefined {
  if (words.length === 0) return undefined;
  const all = words.map((word) => `“${plainLine(word, LONGEST_NAME)}”`).join(', ');
  return left.length > 0 ? say.inNoFileRead({ words: all }) : say.inNoFile({ words: all });
}

/** Why files are not read, by the index's word for it. */
const REASONS: Readonly<Record<string, () => Message>> = {
  generated: say.generated,
  'too-large': say.tooLarge,
  binary: say.binary,
  unreadable: say.unreadable,
  secret: say.secret,
  excluded: say.excluded,
};

function skipped(material: Material, lookup: Lookup): Message | undefined {
  const count = lookup.skipped.reduce((sum, { count: files }) => sum + files, 0);
  if (count === 0) return undefined;
  return say.notRead({ count, reasons: lookup.skipped.map((group) => material.show(reasonOf(group))).join(', ') });
}

function reasonOf({ reason, count: files, examples }: Skipped): Message {
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason]?.() : undefined;
  const named = known ?? plainLine(reason, LONGEST_NAME);
  const shown = examples.slice(0, MOST_EXAMPLES).map((path) => plainLine(path, LONGEST_NAME));
  return files === shown.length
    ? say.reasonExamples({ files, reason: named, examples: shown.join(', ') })
    : say.reasonFiles({ files, reason: named });
}
