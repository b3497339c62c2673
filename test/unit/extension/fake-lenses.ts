// What shows something above a line of a document.

export class Range {
  readonly start: { readonly line: number };
  constructor(line: number) {
    this.start = { line };
  }
}

export class CodeLens {
  readonly range: Range;
  readonly command: { readonly title: string; readonly command: string; readonly arguments?: readonly unknown[] };
  constructor(range: Range, command: CodeLens['command']) {
    this.range = range;
    this.command = command;
  }
}

export const languages = { registerCodeLensProvider: () => ({ dispose: () => undefined }) };
