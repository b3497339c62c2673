import assert from 'node:assert/strict';
import { fenceLanguage } from '../../../../src/models/quotes/lookup.ts';

describe('the language behind a fence', () => {
  it('is one that editors know', () => {
    const languages = ['a.h', 'a.hpp', 'a.cc', 'a.mjs', 'a.pyi', 'a.ipynb', 'a.go', 'a.pm', 'Makefile'].map(
      fenceLanguage,
    );
    assert.deepEqual(languages, ['c', 'cpp', 'cpp', 'js', 'py', 'py', 'go', 'perl', '']);
  });
});
