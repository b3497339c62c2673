/** The way a file is read: in a program, an unquoted value is an expression; in prose, the next word is just a word. */
export interface FileKind {
  readonly isCode: boolean;
  readonly isProse: boolean;
}

const CODE =
  /\.(?:[cm]?[jt]sx?|py|pyi|rb|go|rs|java|kt|kts|cs|fs|php|swift|c|h|cc|cpp|cxx|hh|hpp|m|mm|scala|groovy|lua|pl|pm|ex|exs|erl|hs|clj|dart|vue|svelte|css|scss|less|r|jl|zig|nim|sol|vb|pas|proto|graphql)$/i;
const PROSE = /\.(?:md|mdx|markdown|rst|adoc|txt|html?)$/i;

export function fileKind(path: string): FileKind {
  return { isCode: CODE.test(path), isProse: PROSE.test(path) };
}
