/** The look of lines of a language that begin something: enough to cut its files where we have no grammar for it. */
export interface Outline {
  /** A line that is nothing but a comment. */
  readonly comment: RegExp;
  /** The first and the last line of a comment of several lines. */
  readonly block?: readonly [first: RegExp, last: RegExp];
  /** A line of such a comment from which on it is about something else. */
  readonly anew?: RegExp;
  /** The first line of a symbol, by its kind; the group is its name. */
  readonly symbols: readonly (readonly ['class' | 'function', RegExp])[];
  /** A line that says what all the symbols below belong to; the group is its name. */
  readonly owner?: RegExp;
}

const SLASHES = { comment: /^\s*\/\//, block: [/^\s*\/\*/, /\*\//] } as const;
export const PERL: Outline = {
  comment: /^\s*#/,
  block: [/^=[a-z]/, /^=cut\b/],
  anew: /^=(?:item|head\d|method|func)\b/,
  symbols: [['function', /^\s*sub\s{1,20}([\w:']{1,80})/]],
  owner: /^\s*package\s{1,20}(?:\w{1,60}::){0,9}(\w{1,60})/,
};

export const LUA: Outline = {
  comment: /^\s*--/,
  block: [/^\s*--\[\[/, /\]\]/],
  symbols: [
    ['function', /^\s*(?:local\s{1,4})?function\s{1,4}([\w.:]{1,80})/],
    ['function', /^\s*(?:local\s{1,4})?([\w.]{1,80})\s{0,4}=\s{0,4}function\b/],
  ],
};

export const KOTLIN: Outline = {
  ...SLASHES,
  symbols: [
    [
      'class',
      /^\s*(?:@\w{1,40}\s{1,4})?(?:[a-z]{2,20}(?:\(\w{1,20}\))?\s{1,4}){0,5}(?:class|interface|object)\s{1,4}(\w{1,80})/,
    ],
    [
      'function',
      /^\s*(?:@\w{1,40}\s{1,4})?(?:[a-z]{2,20}(?:\(\w{1,20}\))?\s{1,4}){0,5}fun\s{1,4}(?:<[^>]{1,80}>\s{0,4})?(?:[\w<>?]{1,80}\.)?(\w{1,80})\s{0,4}\(/,
    ],
  ],
};

export const SWIFT: Outline = {
  ...SLASHES,
  symbols: [
    [
      'class',
      /^\s*(?:@\w{1,40}\s{1,4})?(?:[a-z]{2,20}(?:\(\w{1,20}\))?\s{1,4}){0,5}(?:class|struct|enum|protocol|actor|extension)\s{1,4}(?!func\b|var\b)(\w{1,80})/,
    ],
    ['function', /^\s*(?:@\w{1,40}\s{1,4})?(?:[a-z]{2,20}(?:\(\w{1,20}\))?\s{1,4}){0,5}func\s{1,4}(\w{1,80})/],
  ],
};

export const SCALA: Outline = {
  ...SLASHES,
  symbols: [
    [
      'class',
      /^\s*(?:@\w{1,40}\s{1,4})?(?:[a-z]{2,20}(?:\(\w{1,20}\))?\s{1,4}){0,5}(?:class|trait|object|enum)\s{1,4}(\w{1,80})/,
    ],
    ['function', /^\s*(?:@\w{1,40}\s{1,4})?(?:[a-z]{2,20}(?:\(\w{1,20}\))?\s{1,4}){0,5}def\s{1,4}(\w{1,80})/],
  ],
};

export const ELIXIR: Outline = {
  comment: /^\s*#/,
  symbols: [
    ['class', /^\s*defmodule\s{1,4}([\w.]{1,120})/],
    ['function', /^\s*def(?:p|macro|macrop)?\s{1,4}(\w{1,80}[?!]?)/],
  ],
};
