/** The longest pattern, in characters. */
export const LONGEST_PATTERN = 1000;
/** The most parts that a pattern has once its repetitions are written out. */
const MOST_PARTS = 4000;
/** The deepest nesting of groups. */
const DEEPEST = 50;
/** So many ways from one state to another are remembered; then all are forgotten, so that memory stays small. */
const MOST_WAYS = 50_000;
/** The work of one pattern, in parts looked at for a character that was not met before in the same state. */
const MOST_WORK = 10_000_000;

/** Why a pattern cannot be used, in words for a model: `isText` if it may have been meant as plain text. */
export class PatternProblem extends Error {
  override readonly name = 'PatternProblem';
  readonly isText: boolean;

  constructor(message: string, isText = false) {
    super(message);
    this.isText = isText;
  }
}

/** Tells whether an error is one, by its name: bundles have their own copies of the class. */
export function isPatternProblem(error: unknown): error is PatternProblem {
  return error instanceof Error && error.name === 'PatternProblem';
}

/** A part of a pattern, before its repetitions are written out. */
type Part =
  | { readonly type: 'one'; readonly source: string; readonly literal?: string }
  | { readonly type: 'at'; readonly where: Where }
  | { readonly type: 'all'; readonly parts: readonly Part[] }
  | { readonly type: 'any'; readonly parts: readonly Part[] }
  | { readonly type: 'times'; readonly part: Part; readonly least: number; readonly most: number };

type Where = 'start' | 'end' | 'edge' | 'inside';

/** A step of the program: takes one character, holds at a place, or goes on in two ways. The last one is the match. */
type Step =
  | { readonly takes: RegExp; readonly next: number }
  | { readonly at: Where; readonly next: number }
  | { readonly ways: readonly number[] };

const [START, WORD, OTHER] = [0, 1, 2];
/** The number that stands for the end of a line among characters. */
const END = -1;

/** A place in a line as far as the pattern is concerned: what may come next, and what was there before. */
interface State {
  readonly steps: readonly number[];
  readonly before: number;
  readonly next: Map<number, State | 'match'>;
}

/**
 * A regular expression that looks at each character of a line once, whatever it is: models write it, and JavaScript's own
 * can take years for a line. It knows no look-around and no references back; everything else means what it means in
 * JavaScript, within one line.
 */
export class LinePattern {
  /** A text that every matching line holds, in lower case if case does not count; empty if none is known. */
  readonly needs: string;
  readonly #ignoresCase: boolean;
  readonly #steps: readonly Step[];
  readonly #first: number;
  readonly #isWhole: boolean;
  #states = new Map<string, State>();
  #begin: State | undefined;
  #ways = 0;
  #work = 0;

  /**
   * @param isWhole whether it has to match from the beginning of a line to its end
   * @throws PatternProblem
   */
  constructor(source: string, ignoresCase: boolean, isWhole = false) {
    if (source.length > LONGEST_PATTERN) throw new PatternProblem(`it has more than ${LONGEST_PATTERN} characters`);
    rejectInvalid(source);
    const tree = new Parser(source).parse();
    const needs = longestLiteral(tree);
    this.needs = ignoresCase ? needs.toLowerCase() : needs;
    this.#ignoresCase = ignoresCase;
    this.#isWhole = isWhole;
    const program = new Program(ignoresCase ? 'i' : '');
    this.#first = program.add(tree, program.match);
    this.#steps = program.steps;
  }

  /** Tells whether a text may hold a matching line: false only if it does not. */
  mayMatch(text: string): boolean {
    return this.needs === '' || (this.#ignoresCase ? text.toLowerCase() : text).includes(this.needs);
  }

  /**
   * Where the first match of a line ends, from 0; undefined if there is none.
   * @throws PatternProblem if it takes too much work
   */
  find(line: string): number | undefined {
    this.#begin ??= this.#stateOf([this.#first], START);
    let state = this.#begin;
    for (let at = 0; at <= line.length; at++) {
      const unit = at < line.length ? line.charCodeAt(at) : END;
      const next = state.next.get(unit) ?? this.#step(state, unit);
      if (next === 'match') return at;
      state = next;
    }
    return undefined;
  }

  #step(state: State, unit: number): State | 'match' {
    const character = unit === END ? '' : String.fromCharCode(unit);
    const after = unit === END ? START : kindOf(character);
    const reached = this.#reached(state, after);
    const matches = reached.has(0) && (!this.#isWhole || unit === END);
    const next = matches ? 'match' : this.#stateOf(this.#after(reached, character), unit === END ? START : after);
    state.next.set(unit, next);
    this.#ways++;
    return next;
  }

  /** Returns all steps that can be reached from a state without taking a character. */
  #reached({ steps, before }: State, after: number): Set<number> {
    const reached = new Set<number>();
    const open = [...steps];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (reached.has(at)) continue;
      reached.add(at);
      const step = this.#steps[at];
      if (step && 'ways' in step) open.push(...step.ways);
      else if (step && 'at' in step && holds(step.at, before, after)) open.push(step.next);
    }
    this.#work += reached.size;
    if (this.#work > MOST_WORK) throw new PatternProblem('it takes too much work; make it simpler, or name a "path"');
    return reached;
  }

  #after(reached: ReadonlySet<number>, character: string): number[] {
    const next = new Set(this.#isWhole ? [] : [this.#first]);
    for (const at of reached) {
      const step = this.#steps[at];
      if (step && 'takes' in step && character !== '' && step.takes.test(character)) next.add(step.next);
    }
    return [...next].sort((a, b) => a - b);
  }

  #stateOf(steps: readonly number[], before: number): State {
    const key = `${before}:${steps.join()}`;
    const known = this.#states.get(key);
    if (known) return known;
    if (this.#ways >= MOST_WAYS) {
      // States refer to one another: they are gone only if the first one is.
      this.#states = new Map();
      this.#begin = undefined;
      this.#ways = 0;
    }
    const state: State = { steps, before, next: new Map() };
    this.#states.set(key, state);
    return state;
  }
}

/** Returns a pattern that finds a text word for word. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/**
 * A glob as a pattern for whole paths, relative and with `/`: `*.ts` in any folder, `src/**` below one, `{a,b}` or `a,b`
 * either of them.
 * @throws PatternProblem
 */
export function globPattern(glob: string): LinePattern {
  return new LinePattern(partsOf(glob).map(globSource).join('|'), false, true);
}

/** Returns the parts of a glob between commas that are in no brackets. */
function partsOf(glob: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of glob) {
    if (sign === '{') depth++;
    if (sign === '}') depth--;
    if (sign === ',' && depth <= 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}

function globSource(glob: string): string {
  const written = glob.replace(/^\.?\//, '');
  const anywhere = written.includes('/') ? '' : '(?:.*/)?';
  let depth = 0;
  const source = written.replace(/\*\*\/|\*\*|\*|\?|\[!?[^\]/]{1,40}\]|[{},]|[\\^$.+()[\]|]/g, (sign) => {
    if (sign in GLOB) return GLOB[sign] ?? '';
    if (sign.length > 2) return sign.replace(/^\[!/, '[^');
    if (sign === '{') depth++;
    if (sign === '{') return '(?:';
    if (depth > 0 && sign === ',') return '|';
    return depth > 0 && sign === '}' && depth-- ? ')' : literally(sign);
  });
  return `${anywhere}${source}${written.endsWith('/') ? '.*' : ''}`;
}

const GLOB: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };

/** The words of JavaScript for what is wrong are good: it says where, too. */
function rejectInvalid(source: string): void {
  try {
    new RegExp(source);
  } catch (error) {
    const why = error instanceof Error ? error.message.split(': ').at(-1) : undefined;
    throw new PatternProblem(`it is no regular expression (${(why ?? 'it cannot be read').toLowerCase()})`, true);
  }
}

function kindOf(character: string): number {
  return /\w/.test(character) ? WORD : OTHER;
}

function holds(where: Where, before: number, after: number): boolean {
  if (where === 'start') return before === START;
  if (where === 'end') return after === START;
  const isEdge = (before === WORD) !== (after === WORD);
  return where === 'edge' ? isEdge : !isEdge;
}

/** Returns the longest text that every match holds: of the characters one after the other that nothing repeats. */
function longestLiteral(tree: Part): string {
  let [best, run] = ['', ''];
  const end = (): void => {
    if (run.length > best.length) best = run;
    run = '';
  };
  const walk = (part: Part): void => {
    if (part.type === 'all') part.parts.forEach(walk);
    else if (part.type === 'one' && part.literal !== undefined) run += part.literal;
    else if (part.type === 'times' && part.least > 0) {
      end();
      walk(part.part);
      end();
    } else if (part.type !== 'at') end();
  };
  walk(tree);
  end();
  return best;
}

/** Makes the steps of a pattern, the last ones first. */
class Program {
  readonly steps: Step[] = [{ ways: [] }];
  /** The step that is the match. */
  readonly match = 0;
  readonly #flags: string;

  constructor(flags: string) {
    this.#flags = flags;
  }

  /** Adds what matches a part and then goes on; returns where it begins. */
  add(part: Part, next: number): number {
    if (part.type === 'one') return this.#put({ takes: new RegExp(part.source, this.#flags), next });
    if (part.type === 'at') return this.#put({ at: part.where, next });
    if (part.type === 'all') return part.parts.reduceRight((after, each) => this.add(each, after), next);
    if (part.type === 'any') return this.#put({ ways: part.parts.map((each) => this.add(each, next)) });
    return this.#repeat(part.part, part.least, part.most, next);
  }

  #repeat(part: Part, least: number, most: number, next: number): number {
    let first = next;
    if (most === Number.POSITIVE_INFINITY) {
      const ways: number[] = [];
      first = this.#put({ ways });
      ways.push(this.add(part, first), next);
    } else for (let i = least; i < most; i++) first = this.#put({ ways: [this.add(part, first), next] });
    for (let i = 0; i < least; i++) first = this.add(part, first);
    return first;
  }

  #put(step: Step): number {
    if (this.steps.length > MOST_PARTS) throw new PatternProblem('its repetitions are too long');
    return this.steps.push(step) - 1;
  }
}

/** Reads a pattern that JavaScript can read. */
class Parser {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): Part {
    const found = this.#any();
    if (this.#at < this.#source.length) throw new PatternProblem('it has a bracket too many', true);
    return found;
  }

  #any(): Part {
    if (++this.#depth > DEEPEST) throw new PatternProblem('its groups are nested too deeply');
    const parts = [this.#all()];
    while (this.#takes('|')) parts.push(this.#all());
    this.#depth--;
    return parts.length === 1 && parts[0] ? parts[0] : { type: 'any', parts };
  }

  #all(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? '')) parts.push(this.#times());
    return { type: 'all', parts };
  }

  #times(): Part {
    let part = this.#one();
    for (;;) {
      const found = /^(?:([*+?])|\{(\d{1,5})(?:(,)(\d{1,5})?)?\})\??/.exec(this.#source.slice(this.#at, this.#at + 20));
      if (!found) return part;
      this.#at += found[0].length;
      const [, sign, from, comma, to] = found;
      const least = sign ? Number(sign === '+') : Number(from);
      const most = sign === '?' ? 1 : sign || (comma && !to) ? Number.POSITIVE_INFINITY : Number(to ?? from);
      part = { type: 'times', part, least, most };
    }
  }

  #one(): Part {
    const sign = this.#source[this.#at] ?? '';
    if (sign === '(') return this.#group();
    if (sign === '[') return this.#class();
    if (sign === '\\') return this.#escape();
    this.#at++;
    if (sign === '^') return { type: 'at', where: 'start' };
    if (sign === '$') return { type: 'at', where: 'end' };
    if (sign === '.') return { type: 'one', source: '[\\s\\S]' };
    return { type: 'one', source: exactly(literally(sign)), literal: sign };
  }

  #group(): Part {
    const opening = /^\((?:\?(?::|<[\w$]{1,100}>))?/.exec(this.#source.slice(this.#at))?.[0] ?? '(';
    this.#at += opening.length;
    if (opening === '(' && this.#source[this.#at] === '?')
      throw new PatternProblem('it looks ahead or behind, or sets flags; here a pattern cannot');
    const inside = this.#any();
    if (!this.#takes(')')) throw new PatternProblem('a bracket is not closed', true);
    return inside;
  }

  #class(): Part {
    let end = this.#at + 1;
    while (end < this.#source.length && this.#source[end] !== ']') end += this.#source[end] === '\\' ? 2 : 1;
    const source = this.#source.slice(this.#at, end + 1);
    this.#at = end + 1;
    return { type: 'one', source: exactly(source) };
  }

  #escape(): Part {
    const rest = this.#source.slice(this.#at);
    if (/^\\(?:[1-9]|k<)/.test(rest)) throw new PatternProblem('it refers back to a group; here a pattern cannot');
    if (/^\\[nr]/.test(rest)) throw new PatternProblem('it goes over the end of a line; it is looked for within each');
    const source = /^\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|[\s\S])/i.exec(rest)?.[0] ?? rest;
    this.#at += source.length;
    if (source === '\\b' || source === '\\B') return { type: 'at', where: source === '\\b' ? 'edge' : 'inside' };
    const isSign = /^\\[^\w]$/.test(source);
    return { type: 'one', source: exactly(source), ...(isSign && { literal: source.slice(1) }) };
  }

  #takes(sign: string): boolean {
    const isThere = this.#source[this.#at] === sign;
    if (isThere) this.#at++;
    return isThere;
  }
}

/** JavaScript's own pattern for one character: without repetitions, it is as fast as any. */
function exactly(source: string): string {
  return `^${source}$`;
}
