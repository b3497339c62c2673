import assert from 'node:assert/strict';
import { chunkFile, chunkProse } from '../../../src/text/chunk/chunk-file.ts';
import { marksByOutline } from '../../../src/text/chunk/marks.ts';
import { KOTLIN } from '../../../src/text/files/languages.ts';
import { growsLinearly } from '../../support/grows-linearly.ts';
import { makeWorkspace, removeWorkspaces, sourceOf } from '../../support/quotes/quotes-workspace.ts';

/** The names of what a file is cut into, what is left over aside. */
async function namesIn(path: string, text: string): Promise<string[]> {
  const file = await sourceOf(makeWorkspace({ [path]: text }), path);
  assert.ok(file);
  const { pieces } = await chunkFile(file);
  return pieces.filter(({ kind }) => kind !== 'rest').map(({ name }) => name);
}

describe('cutting a file', () => {
  after(removeWorkspaces);

  it('takes a time in proportion to its headings, however they are made to be slow', async () => {
    for (const part of ['<', '[', '{#', '![', '# ', ' ']) {
      const made = (size: number) => [`# A${part.repeat(size / part.length)}x`, '', 'Some text.'];
      await growsLinearly(part, 200_000, made, chunkProse);
    }
  });

  const samples: Record<string, { path: string; text: string; names: string[] }> = {
    JavaScript: {
      path: 'a.js',
      text: `class A extends B {\n  static from() {}\n  run() {}\n}\nA.prototype.stop = function () {};
exports.list = (text) => text;\nfunction plain() {}\nconst TABLE = {\n  a: 1,\n  b: 2,\n};
it('stops when it is told to', () => {\n  a();\n  b();\n});\n`,
      names: ['A', 'A#from', 'A#run', 'A#stop', 'list', 'plain', 'TABLE', "it('stops when it is told to')"],
    },
    TypeScript: {
      path: 'a.ts',
      text: `export interface Shape {\n  area(): number;\n}\nexport abstract class Base<T> {\n  abstract go(): void;
  #hidden(): void {}\n}\nexport type Id = string;\nenum Kind { A }\nexport const f = <T,>(x: T): T => x;\n`,
      names: ['Shape', 'Base', 'Base#go', 'Base#hidden', 'Id', 'Kind', 'f'],
    },
    TSX: { path: 'a.tsx', text: 'export const View = () => <p>{1}</p>;\n', names: ['View'] },
    Python: {
      path: 'a.py',
      text: 'class A:\n    @property\n    def size(self):\n        """How large."""\n        return 1\n\nasync def main():\n    pass\n',
      names: ['A', 'A.size', 'main'],
    },
    Go: {
      path: 'a.go',
      text: 'package a\n\ntype Pool struct {\n\tsize int\n}\n\nfunc (p *Pool) Get() int {\n\treturn p.size\n}\n\nfunc New() *Pool { return nil }\n',
      names: ['Pool', 'Pool.Get', 'New'],
    },
    Java: {
      path: 'A.java',
      text: 'public class A {\n  A() {}\n  int size() { return 1; }\n  interface B { void go(); }\n}\n',
      names: ['A', 'A#A', 'A#size', 'A#B', 'A#B#go'],
    },
    'C#': {
      path: 'a.cs',
      text: 'namespace N {\n  public class A {\n    public int Size { get; set; }\n    void Go() { }\n  }\n}\n',
      names: ['A', 'A.Size', 'A.Go'],
    },
    'C++': {
      path: 'a.cpp',
      text: 'struct A {\n  int size;\n  int get() { return size; }\n};\nint A::other() { return 1; }\nchar *name(int x) { return 0; }\n',
      names: ['A', 'A::get', 'A::other', 'name'],
    },
    Rust: {
      path: 'a.rs',
      text: 'pub struct A { size: u8 }\nimpl A {\n    pub fn size(&self) -> u8 { self.size }\n}\nfn main() {}\n',
      names: ['A', 'A', 'A::size', 'main'],
    },
    Ruby: {
      path: 'a.rb',
      text: 'module M\n  class A\n    def size\n      1\n    end\n    def self.make\n      new\n    end\n  end\nend\n',
      names: ['M', 'M#A', 'M#A#size', 'M#A#make'],
    },
    PHP: {
      path: 'a.php',
      text: '<?php\nclass A {\n  public function size() { return 1; }\n}\nfunction go() {}\n',
      names: ['A', 'A::size', 'go'],
    },
    CSS: { path: 'a.css', text: '.a > .b {\n  color: red;\n}\n', names: ['.a > .b'] },
    Bash: { path: 'a.sh', text: 'build() {\n  echo 1\n}\n', names: ['build'] },
    PowerShell: { path: 'a.ps1', text: 'function Get-Size {\n  1\n}\n', names: ['Get-Size'] },
    'a header of C': {
      path: 'a.h',
      text: 'typedef enum {\n  A,\n  B\n} mode;\n/* Reads it. */\nAPI doc CALL\n\t\treadMemory(const char *text,\n\t\t\tint size);\nchar *name(void);\n#define MOST(x) \\\n  (x)\n',
      names: ['mode', 'readMemory', 'name', 'MOST'],
    },
    'a script without an extension': {
      path: 'bin/run',
      text: '#!/usr/bin/env bash\nbuild() {\n  echo 1\n}\n',
      names: ['build'],
    },
    Perl: {
      path: 'A/Lock.pm',
      text: 'package A::Lock;\n\nsub take($$) {\n    my ($file) = @_;\n    if (1) {\n    }\n}\n\nsub free\n{\n    1;\n}\nsub one { 1 }\nsub two { 2 }\n',
      names: ['Lock::take', 'Lock::free', 'Lock::one', 'Lock::two'],
    },
    Lua: {
      path: 'a.lua',
      text: 'local function go()\n  return 1\nend\n--[[\nfunction no()\n]]\nM.size = function(self)\n  return 2\nend\n',
      names: ['go', 'M.size'],
    },
    Kotlin: {
      path: 'a.kt',
      text: 'data class A(val x: Int) {\n    override fun go(\n        a: Int,\n    ): Int {\n        return a\n    }\n}\nfun String.last(): Char = this[0]\n',
      names: ['A', 'A.go', 'last'],
    },
    Swift: {
      path: 'a.swift',
      text: '/* struct No {\n*/\npublic struct A {\n  static func go() -> Int {\n    1\n  }\n}\n',
      names: ['A', 'A.go'],
    },
    Scala: {
      path: 'a.scala',
      text: 'case class A(x: Int) {\n  def go: Int = {\n    x\n  }\n}\n',
      names: ['A', 'A.go'],
    },
    Elixir: {
      path: 'a.ex',
      text: 'defmodule A.B do\n  # def no\n  def go?(x) do\n    x\n  end\nend\n',
      names: ['A.B', 'A.B.go?'],
    },
    Markdown: {
      path: 'a.md',
      text: '# Title\n\nText.\n\n```sh\n# no heading\n```\n\nUnder\n-----\n\nMore.\n\n## [Linked](x.md) `code`\n\nEnd.\n',
      names: ['Title', 'Under', 'Linked code'],
    },
  };
  for (const [language, { path, text, names }] of Object.entries(samples))
    it(`finds the symbols of ${language}`, async () => assert.deepEqual(await namesIn(path, text), names));

  it('covers every line with content, comments together with what they describe', async () => {
    const text =
      '// Top.\n\nimport a from "a";\n\n/** Says what\n * it does. */\nexport function go() {\n  a();\n}\n\ngo();\n';
    const file = await sourceOf(makeWorkspace({ 'a.ts': text }), 'a.ts');
    assert.ok(file);
    const { pieces } = await chunkFile(file);
    const go = pieces.find(({ name }) => name === 'go');
    assert.deepEqual([go?.start, go?.head, go?.end], [4, 6, 8]);
    const covered = new Set(
      pieces.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, at) => start + at)),
    );
    for (const [row, line] of file.lines.entries())
      assert.ok(line.trim() === '' || covered.has(row), `line ${row + 1}`);
  });

  it('puts an item of Perl’s documentation with the function behind it', async () => {
    const text = '=item one()\n\nOne.\n\n=item take()\n\nTakes it.\n\n=cut\n\nsub take {\n    1;\n}\n';
    const file = await sourceOf(makeWorkspace({ 'a.pm': text }), 'a.pm');
    assert.ok(file);
    const { pieces, silent } = await chunkFile(file);
    assert.deepEqual(
      pieces.map(({ kind, start, head, end }) => ({ kind, start, head, end })),
      [
        { kind: 'rest', start: 0, head: 0, end: 3 },
        { kind: 'function', start: 4, head: 10, end: 12 },
      ],
    );
    assert.ok(silent.isComment(6) && !silent.isComment(11));
  });

  it('takes a time in proportion to comments of which none ends', async () => {
    await growsLinearly(
      '/*',
      100_000,
      (size) => '/*\n'.repeat(size),
      (text) => marksByOutline(text, KOTLIN),
    );
  });

  it('reads broken code as far as possible', async () => {
    const names = await namesIn('a.ts', 'function good() {\n  return 1;\n}\n}}}} <<< ((( \nclass { % \n');
    assert.ok(names.includes('good'));
  });
});
