import type { Message } from '../../../core/messages/message.ts';
import {
  type Lookup,
  type LookupPlace,
  type Mention,
  type Skipped,
  shownRows,
} from '../../../core/ports/workspace-text.ts';
import { fenced } from '../../../core/text/text.ts';
import { placeOf } from '../../../engine-parts/report/link-target.ts';
import { alsoIn, calledBy, hasWords, onlyNear as nearPlaces, testedBy } from '../../../engine-parts/report/messages.ts';
import { plainLine, visibleText } from '../../../engine-parts/report/safe-markdown.ts';
import * as say from '../messages.ts';
import type { Material } from './material.ts';

/** A report begins with so many places at most. */
const MOST_PLACES = 3;
const MOST_WORDS = 8;
const LONGEST_SENTENCE = 300;
const LONGEST_NAME = 200;
const MOST_EXAMPLES = 3;

/**
 * The beginning of a report by such a model: which words are in no file, and up to three places, each a sentence, its link,
 * the lines that decide, and who uses it; then what was searched, and what was not.
 */
export function lookedUp(material: Material, lookup: Lookup): string[] {
  const { ctx } = material;
  // A person may have pruned or removed a topic since.
  const wanted = new Set(ctx.tree.root.children.filter(({ status }) => status !== 'pruned').map(({ title }) => title));
  const left = lookup.places.filter(({ title }) => wanted.has(title));
  const good = left.filter(({ shown }) => shown !== undefined);
  const places = (good.length > 0 ? good : left).slice(0, MOST_PLACES);
  const shown = places.flatMap((place, at) => answerAt(material, place, places.length > 1 ? `${at + 1}. ` : ''));
  const without =
    places.length > 0 && lookup.isNear ? onlyNear(material, lookup, places.length) : missing(material, lookup);
  return [...without, ...shown, `_${searched(material, lookup)}_`];
}

function answerAt(material: Material, place: LookupPlace, number: string): string[] {
  const link = linked(material, place.place, place.link);
  // Not a list: its number would need the code below it indented, and a reader has to copy that.
  const mark = number === '' ? '' : `**${number.trim()}** `;
  const [code = ''] = visibleText(place.code).split('\n');
  const says = `${mark}${plainLine(place.says, LONGEST_SENTENCE)} (${link})`;
  const rows = shownRows(place.shown ?? []);
  if (rows.length === 0) return code === '' ? [says] : [says, fenced([code], place.language)];
  const lines = rows.map(({ number: at, text }) => `${at}  ${visibleText(text).split('\n')[0] ?? ''}`.trimEnd());
  return [says, fenced(lines, place.language), ...around(material, place)];
}

/**
 * Returns the words of the question that the lines have, as they are spelled there, and where else a reader may look.
 */
function around(material: Material, { shown = [], callers, tests, twins }: LookupPlace): string[] {
  const rows = shownRows(shown);
  const spelled = rows.flatMap(({ text, words }) => words.map(([from, to]) => text.slice(from, to).toLowerCase()));
  const words = [...new Set(spelled)].slice(0, MOST_WORDS).map((word) => `**${plainLine(word, LONGEST_NAME)}**`);
  const names = (mentions: readonly Mention[] = []): string =>
    mentions.map(({ name, place, link }) => linked(material, name === '' ? place : name, link)).join(', ');
  const said = [
    words.length > 0 ? hasWords({ words: words.join(', ') }) : undefined,
    callers ? calledBy({ names: names(callers) }) : undefined,
    tests ? testedBy({ names: names(tests) }) : undefined,
    twins ? alsoIn({ names: names(twins.map((twin) => ({ ...twin, name: '' }))) }) : undefined,
  ];
  const shownWords = said.flatMap((message) => (message ? material.show(message) : []));
  return shownWords.length === 0 ? [] : [shownWords.join(' ')];
}

/** Returns a link to lines of the workspace; only its name where it leads elsewhere. */
function linked({ ctx }: Material, name: string, link: string): string {
  const target = placeOf(ctx.tree, ctx.folder, '', link);
  const shown = plainLine(name, LONGEST_NAME);
  return target && !target.node ? `[${shown}](${target.link})` : shown;
}

/** Says that there is no answer, what was not found, and what to try. */
export function nothingFound(material: Material, lookup: Lookup): string[] {
  const { near, guess } = lookup;
  const names = near.map((name) => plainLine(`\`${name}\``, LONGEST_NAME)).join(', ');
  const tries = [near.length > 0 ? say.tryNear({ names }) : say.tryName(), say.tryWords(), say.tryModel()];
  const nothing = lookup.files === 0;
  const facts = [
    material.show(nothing ? say.nothingToSearch() : say.noGoodPlace({ count: lookup.files })),
    ...(nothing ? [] : missing(material, lookup)),
    skipped(material, lookup),
  ];
  const said = facts.filter((fact) => fact !== undefined).join(' ');
  if (nothing) return [said];
  const nearest = guess ? [material.show(say.nearestPlace()), ...answerAt(material, guess, '')] : [];
  const list = tries.map((message) => `- ${material.show(message)}`).join('\n');
  return [said, ...nearest, material.show(say.whatToTry()), list];
}

function searched(material: Material, lookup: Lookup): string {
  const { files: count, read } = lookup;
  const { closely, whole } = lookup.isOverview
    ? { closely: say.overviewClosely, whole: say.overview }
    : { closely: say.lookedCloselyIn, whole: say.lookedIn };
  const looked = read < count ? closely({ count, read }) : whole({ count });
  const left = skipped(material, lookup);
  return `${material.show(looked)}${left === undefined ? '' : ` ${left}`}`;
}

/** Returns a line on the words that are in no file, if there are any. */
function missing(material: Material, lookup: Lookup): string[] {
  const { missing: words, near, skipped: left, places } = lookup;
  if (words.length === 0) return [];
  const all = listOf(material, words, lookup);
  const names = near.map((name) => plainLine(`\`${name}\``, LONGEST_NAME)).join(', ');
  return [
    [
      material.show(left.some(isCounted) ? say.inNoFileRead({ words: all }) : say.inNoFile({ words: all })),
      // Where there is no place, names are what is advised to try.
      ...(near.length > 0 && places.length > 0 ? [material.show(say.spelledAlike({ names }))] : []),
    ].join(' '),
  ];
}

/** Says that the places are no more than near, and why. */
function onlyNear(material: Material, lookup: Lookup, count: number): string[] {
  const { missing: words } = lookup;
  const near = `**${material.show(nearPlaces({ count }))}**`;
  return [words.length === 0 ? near : `${missing(material, lookup).join(' ')} ${near}`];
}

function listOf(material: Material, words: readonly string[], { instead = [], places }: Lookup): string {
  const shown = words.map((each) => {
    const word = plainLine(each, LONGEST_NAME);
    // Where there is no place, what is similar was not good enough.
    const other = places.length === 0 ? undefined : instead.find((one) => one.word === each)?.other;
    return other === undefined
      ? `“${word}”`
      : material.show(say.insteadOf({ word, other: plainLine(other, LONGEST_NAME) }));
  });
  return shown.join(', ');
}

/** Why files, or folders, are not searched, by the index's word for it. */
const REASONS: Readonly<Record<string, (how: { readonly count: number }) => Message>> = {
  lock: say.lock,
  changelog: say.changelog,
  'test-data': say.testData,
  vendored: say.vendored,
  generated: say.generated,
  binary: say.binary,
  secret: say.secret,
  hidden: say.hidden,
  'odd-name': say.oddName,
  'too-large': say.tooLarge,
  unreadable: say.unreadable,
  link: say.link,
  closed: say.closed,
  repository: say.repository,
};

/** Of what the folder's rules leave out, nobody knows how much it is. */
function isCounted({ reason }: Skipped): boolean {
  return reason !== 'ignored' && reason !== 'unasked';
}

function skipped(material: Material, { skipped: all }: Lookup): string | undefined {
  const known = all.filter(isCounted);
  const facts = [
    known.length === 0
      ? undefined
      : say.notSearched({ reasons: known.map((one) => reasonOf(material, one)).join(', ') }),
    !all.some(({ reason }) => reason === 'ignored')
      ? undefined
      : known.length === 0
        ? say.onlyIgnored()
        : say.ignoredFiles(),
    all.some(({ reason }) => reason === 'unasked') ? say.gitUnasked() : undefined,
  ];
  const shown = facts.flatMap((fact) => (fact ? material.show(fact) : []));
  return shown.length === 0 ? undefined : shown.join(' ');
}

function reasonOf(material: Material, { reason, count, examples }: Skipped): string {
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason]?.({ count }) : undefined;
  const named = known ?? say.otherReason({ count, reason: plainLine(reason, LONGEST_NAME) });
  const shown = examples.slice(0, MOST_EXAMPLES).map((path) => plainLine(path, LONGEST_NAME));
  return material.show(
    count === shown.length ? say.reasonExamples({ reason: named, examples: shown.join(', ') }) : named,
  );
}
