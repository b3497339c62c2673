import assert from 'node:assert/strict';
import type { Passage } from '../../../../src/text/chunk/chunk-file.ts';
import { languageOf } from '../../../../src/text/files/languages.ts';
import { isShape } from '../../../../src/text/rank/passage-features.ts';
import { docString, signatureEnd } from '../../../../src/text/rank/term-table.ts';

describe('the lines of a passage', () => {
  const passage = (path: string, text: string, more: Partial<Passage> = {}): Passage => {
    const lines = text.split('\n');
    const file = { path, role: 'source', language: languageOf(path), lines, secrets: 0 } as const;
    return { id: 0, file, kind: 'function', name: 'f', start: 0, head: 0, end: lines.length - 1, inner: [], ...more };
  };

  it('have a signature that may be broken', () => {
    assert.equal(signatureEnd(passage('a.ts', 'function f(\n  a: string,\n  b: string,\n) {\n  return a;\n}')), 3);
    assert.equal(signatureEnd(passage('a.py', 'def f(a):\n    return a')), 0);
    assert.equal(signatureEnd(passage('a.md', '# A\nb:\n', { kind: 'section' })), 0);
  });

  it('have a string that documents, in Python', () => {
    const text = 'def f(a):\n    """Says so.\n\n    At length.\n    """\n    return a';
    assert.deepEqual(docString(passage('a.py', text), 0), [1, 4]);
    assert.deepEqual(docString(passage('a.py', "def f():\n    r'''Says so.'''\n    return 1"), 0), [1, 1]);
    assert.deepEqual(docString(passage('a.py', 'def f():\n    """never closed\n    return 1'), 0), [1, 2]);
    assert.equal(docString(passage('a.py', 'def f():\n    return """text"""'), 0), undefined);
    assert.equal(docString(passage('a.ts', text), 0), undefined);
  });

  it('tell a shape from a class', () => {
    const kind = 'class';
    assert.ok(isShape(passage('a.ts', 'export interface A {', { kind })));
    assert.ok(isShape(passage('a.rs', 'pub(crate) trait A {', { kind })));
    assert.ok(isShape(passage('a.ts', 'type A = B;', { kind: 'type' })));
    assert.ok(!isShape(passage('a.ts', 'export class A {', { kind })));
    assert.ok(!isShape(passage('a.go', 'type A struct {', { kind })));
  });
});
