import { type FileLines, placeText } from '../../core/citations/citation.ts';
import { placesIn, withPlaces } from '../../core/citations/line-references.ts';
import type { CitedFinding } from './findings.ts';
import { documentLink } from './link-target.ts';
import type { Places } from './places.ts';

/** `[3]`, `[3, 7]`, `[3][7]`, `[3-5]`, not before an address. */
export const NUMBERS = /\[(\d{1,4}(?:\s*(?:[,;]|[-–])\s*\d{1,4}){0,12})\](?!\()/g;
/** The most places that are shown for a finding that is cited alone: each is a link of its own. */
const MOST_OF_ONE = 2;
const MOST_IN_RANGE = 10;
/** A link, or code: what is split by them is text that may be linked. Bounded, so that no line makes them slow. */
const LINK = /(\[[^[\]\n]{1,400}\]\([^()\n]{1,2000}\))/;
const CODE_OR_LINK = /(`[^`\n]{1,300}`|\[[^[\]\n]{1,400}\]\([^()\n]{1,2000}\))/;
const FENCE = /(^|\n)(`{3,}|~{3,})[\s\S]*?(?:\n\2[^\n]*(?=\n|$)|$)/g;
const CODE = /`([^`\n]{1,300})`/g;

/**
 * Returns an answer in which numbers of findings, and places that it names itself, are links to the lines, or to the
 * document where a finding cites none. Code stays as it is.
 */
export function withReferences(answer: string, findings: readonly CitedFinding[], places: Places): string {
  let out = '';
  let at = 0;
  for (const { 0: fence, index } of answer.matchAll(FENCE)) {
    out += linked(answer.slice(at, index), findings, places) + fence;
    at = index + fence.length;
  }
  return out + linked(answer.slice(at), findings, places);
}

function linked(text: string, findings: readonly CitedFinding[], places: Places): string {
  // A place in code marks is one as well; other code may hold anything.
  const plain = text.replace(CODE, (code, inside: string) => (isPlace(inside, places) ? inside : code));
  const parts = plain.split(CODE_OR_LINK);
  return parts.map((part, at) => (at % 2 === 1 ? part : numbers(mentions(part, places), findings, places))).join('');
}

function isPlace(text: string, places: Places): boolean {
  const [place, ...more] = placesIn(text);
  return (
    place !== undefined &&
    more.length === 0 &&
    placeText(place).length >= text.length - 2 &&
    places.linkTo(place) !== undefined
  );
}

function mentions(text: string, places: Places): string {
  const named = (place: FileLines): string | undefined => {
    const link = places.linkTo(place);
    return link === undefined ? undefined : `[${placeText(place)}](${link})`;
  };
  return text
    .split(LINK)
    .map((part, at) => (at % 2 === 1 ? part : withPlaces(part, named)))
    .join('');
}

function numbers(text: string, findings: readonly CitedFinding[], places: Places): string {
  return text.replace(NUMBERS, (all, inside: string) => {
    const named = numbersIn(inside).flatMap((number) => findings[number - 1] ?? []);
    if (named.length === 0) return all;
    const most = named.length > 1 ? 1 : MOST_OF_ONE;
    const links = new Set(named.flatMap((finding) => linksOf(finding, places, most)));
    return links.size > 0 ? `(${[...links].join(', ')})` : '';
  });
}

/** The numbers between such brackets; those of a range as well. */
export function numbersIn(text: string): number[] {
  return text.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[-–]/).map(Number);
    return Array.from({ length: Math.max(0, Math.min(MOST_IN_RANGE, last - first + 1)) }, (_, at) => first + at);
  });
}

/** Returns links to the lines that a finding cites, as far as they are there. */
export function linksToLines(cites: readonly string[], places: Places): string[] {
  const links = placesIn(cites.join('\n')).flatMap((place) => {
    const link = places.linkTo(place);
    return link === undefined ? [] : [`[${placeText(place)}](${link})`];
  });
  return [...new Set(links)];
}

function linksOf({ cites, node }: CitedFinding, places: Places, most: number): string[] {
  const lines = linksToLines(cites, places);
  if (lines.length > 0) return lines.slice(0, most);
  if (!node) return [];
  return [`[${node.title.replace(/[[\]\\`<>]/g, ' ').trim()}](${documentLink(node)})`];
}
