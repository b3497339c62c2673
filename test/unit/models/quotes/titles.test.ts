import assert from 'node:assert/strict';
import { nameOf, phraseOfName, saidOf, whatItIs } from '../../../../src/models/quotes/titles.ts';
import { firstSentence, sentenceIn } from '../../../../src/text/find/first-sentence.ts';
import { labelOf, subjectOf, titleOf } from '../../../../src/text/find/topics.ts';
import type { WorkspaceIndex } from '../../../../src/text/index/workspace-index.ts';
import { indexWorkspace } from '../../../../src/text/index/workspace-indexes.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

const GO = `package q

// Copyright 2020 The Authors. All rights reserved.

// Queue is a line of jobs.
type Queue[T any] struct {
	jobs []T
}

// Push adds a job at the end. It never blocks.
func (q *Queue[T]) Push(job T) {
	q.jobs = append(q.jobs, job)
}

//nolint:unused
func (q Queue[T]) Len() int {
	return len(q.jobs)
}
`;
const JS = `'use strict';
/* eslint-disable no-console */
Object.defineProperty(request, 'ip', {
  get() {
    const it = this.socket;
    return it;
  },
});

// @ts-expect-error: no types
function open() {
  if (!it) throw new RangeError('none');
  return close();
}

/**
 * Closes {@link open}, e.g. At night (the <epoch> is kept). And more.
 * @param {number} it what
 */
function close(it) {
  return it;
}

/** @returns {number} how many */
function countAll() {
  return 1;
}

/** Adds up what it is given @param {number} it one @returns {number} all */
function addUp(it) {
  return it;
}
`;
const PY = `import os


class Cache:
    # type: ignore
    def get(self, key):
        """
        Return the value of a :class:\`Key\`, (old, or new), of the store that was opened last, if any.

        :param key: it
        """
        raise KeyError(key)

    def __init__(self, size):
        self.size = size
        self.all = {}
`;
const RUST = `/// Puts a [\`Key\`] into the cache.
#[inline]
pub fn put(key: Key) -> bool {
    true
}
`;

const SAID = `/** @fileoverview All about salt. */

function makeSalt() {
  return randomBytes(16);
}

/**
 * Register a callback instead of exiting.
 *
 * @param {Function} fn
 */

export function exitOverride(fn) {
  override = fn;
}

/**
 * InvalidArgumentError class
 */
export class InvalidArgumentError extends Error {}

/** prepareContext is called by Commander before anything is formatted. */
export function prepareContext() {
  makeSalt();
}

export class Test {
  reset() {
    this.done = false;
    this.failed = false;
  }
  retriedTest() {
    const test = this.last;
    return test;
  }
}

/** Waits 🎉🎉 as long as you don't call it, which nobody does in any of the programs that were looked at. */
export function wait() {
  return 1;
}

/** See <https://example.org/a> for all. */
export function see() {
  return 2;
}
`;

const SAID_IN_GO = `package q

// Log entries are replicated to all members.
type Log struct{}

// Commitment is used to advance the leader's index.
type commitment struct{}

// Broken holds the context of every request
// Every route holds an instance of this object, and so does every instance.
type Broken struct{}

// Listed is stale after a while
//   - A query with no data is always stale.
type Listed struct{}

// Leads has:
//   - one
type Leads struct{}

// A Dialer contains options for connecting.
type Dialer struct{}

// NOTE: this is exposed for tests.
type Noted struct{}
`;
const HEADED = `// ### function logAll (options)
// #### @options {Object} What to write.
// Writes all that is told.
function logAll() {
  return 1;
}

// details
function flush() {
  return 2;
}

//////////////////////
// Again and again.
function retry() {
  return 3;
}
`;

/** A class without a docstring, and names that are verbs. */
const ORDERS = `class Images:
    def build(self):
        """Build an image."""
        return 1

    def tag(self):
        """
        Tag this image into a repository.
        """
        return 2

    def store(self):
        """Store credentials for a server."""
        return 3
`;
const HEADER = `#ifdef OUTPUT
int before(void);
#endif /* OUTPUT of the parser is configured in */
/*
 * Summary: interface for memory
 * Description: a long story,
 * with an end.
 */
XMLPUBFUN int XMLCALL
	allocate(int size);
`;

describe('what a title says of a thing', () => {
  let index: WorkspaceIndex;
  before(async () => {
    const files = {
      'queue.go': GO,
      'request.js': JS,
      'cache.py': PY,
      'src/lib.rs': RUST,
      'src/said.js': SAID,
      'src/bare.js': 'run();\n',
      'lines/lease.ts': `// Who may write a search, and until when.\n\nimport { x } from './x.ts';\n\nx();\n`,
      'lines/stale.ts': `import { x } from './x.ts';\n\n/** Milliseconds after which anybody may write. */\nconst STALE = 30_000;\n`,
      'lines/main.js': `'use strict';\nconst fs = require('node:fs');\nimport { start } from './start.js';\nmodule.exports = start;\n`,
      'lines/state.go': `package state\n\nimport (\n\t"sync"\n\t"sync/atomic"\n)\n`,
      'shared.py': 'class Pool:\n    def get(self):\n        return 1\n\ndef user(pool):\n    return pool.get()\n',
      'said.go': SAID_IN_GO,
      'headed.js': HEADED,
      'orders.py': ORDERS,
      'memory.h': HEADER,
      'either.rs': 'impl<L, R> std::io::Read for Either<L, R> {\n    fn read(&mut self) {}\n}\n',
      'guide.md': '# Limits\n\n- **Every search has limits**: by default 1,000 calls.\n- Another.\n',
    };
    index = await indexWorkspace(makeWorkspace(files));
  });
  after(removeWorkspaces);

  const said = (name: string, path: string): string => {
    const [passage] = index.passagesNamed(name, path);
    assert.ok(passage, `no ${name} among ${index.passages.map((one) => one.name).join(', ')}`);
    return whatItIs(passage, index);
  };

  const signed = (name: string, path: string): string => {
    const [passage] = index.passagesNamed(name, path);
    assert.ok(passage, name);
    return nameOf(passage, index);
  };

  it('keeps the case of names, and says none twice', () => {
    assert.equal(said('Queue', 'queue.go'), 'a line of jobs');
    assert.equal(said('Queue.Push', 'queue.go'), 'adds a job at the end');
  });

  it('takes no directive and no licence for a description', () => {
    assert.doesNotMatch(said('Queue.Len', 'queue.go'), /nolint/);
    assert.equal(said('open', 'request.js'), '');
    assert.equal(signed('open', 'request.js'), 'open()');
  });

  it('ends where the sentence does, without tags and markup, but with what only looks like it', () => {
    const [close] = index.passagesNamed('close', 'request.js');
    assert.equal(close && firstSentence(close, index), 'Closes open, e.g. At night (the <epoch> is kept)');
    assert.equal(said('countAll', 'request.js'), '');
    assert.equal(said('addUp', 'request.js'), 'adds up what it is given');
    assert.equal(said('Cache.get', 'cache.py'), 'return the value of a Key, (old, or new)…');
    assert.equal(said('put', 'src/lib.rs'), 'puts a Key into the cache');
  });

  const sentence = (name: string, path = 'src/said.js', row?: number): string => {
    const passage = index.passagesNamed(name, path)[0] ?? index.passages.find(({ file }) => file.path === path);
    assert.ok(passage, name);
    return saidOf(passage, labelOf(passage), index, row ?? passage.head);
  };

  it('has words of the author above an empty line, but not those on the file', () => {
    assert.equal(sentence('exitOverride'), '`exitOverride`: register a callback instead of exiting');
    assert.equal(sentence('makeSalt'), '`makeSalt()`');
  });

  it('is the signature where the author says nothing, and finds its passage again', () => {
    assert.equal(signed('Pool.get', 'shared.py'), 'Pool.get(self)');
    assert.equal(sentence('Pool.get', 'shared.py'), '`Pool.get(self)`');
    assert.equal(signed('Either<L, R>', 'either.rs'), 'Either<L, R>');
    assert.equal(signed('Queue.Push', 'queue.go'), 'Queue.Push');
    const [passage] = index.passagesNamed('Pool.get', 'shared.py');
    assert.ok(passage);
    const title = titleOf(passage, '', nameOf(passage, index));
    assert.equal(title, '`Pool.get(self)` (shared.py)');
    assert.deepEqual(subjectOf(title, index).passages, [passage]);
  });

  it('repeats no name', () => {
    assert.equal(sentence('InvalidArgumentError'), '`InvalidArgumentError extends Error {}`');
    assert.equal(said('prepareContext', 'src/said.js'), 'called by Commander before anything is formatted');
  });

  it('is a sentence for everything', () => {
    assert.equal(sentence('Test'), '`Test`');
    assert.equal(sentence('src/bare.js', 'src/bare.js'), '`bare.js`, line 1');
  });

  it('cuts no word, says that something was cut, and leaves nothing of an address', () => {
    assert.equal(said('wait', 'src/said.js'), "waits 🎉🎉 as long as you don't call it…");
    assert.equal(said('see', 'src/said.js'), 'see for all');
  });

  it('says of lines without a name what is written above them, else where they are', () => {
    const lines = (path: string): string => sentence('', path);
    assert.equal(lines('lines/lease.ts'), '`lease.ts`, lines 1 to 5: who may write a search, and until when');
    assert.equal(sentence('', 'lines/stale.ts', 3), '`stale.ts`, line 4: milliseconds after which anybody may write');
    assert.equal(lines('lines/main.js'), '`main.js`, lines 1 to 4');
    assert.equal(lines('lines/state.go'), '`state.go`, lines 1 to 6');
  });

  it('takes a name for half of a name where the sentence goes on so, and repeats none that begins it in capitals', () => {
    assert.equal(said('Log', 'said.go'), 'log entries are replicated to all members');
    assert.equal(said('Dialer', 'said.go'), 'contains options for connecting');
    assert.equal(said('commitment', 'said.go'), "used to advance the leader's index");
  });

  it('leaves a verb where a sentence begins with it, though it is the name', () => {
    assert.equal(said('Images.tag', 'orders.py'), 'tag this image into a repository');
    assert.equal(said('Images.store', 'orders.py'), 'store credentials for a server');
  });

  it('does not say of a class what its first method does', () => {
    assert.equal(said('Images', 'orders.py'), '');
  });

  it('takes no directive of C for a comment, and one part of a comment for itself', () => {
    assert.equal(said('allocate', 'memory.h'), 'interface for memory');
  });

  it('ends where a line was broken to begin anew, and before a list', () => {
    assert.equal(said('Broken', 'said.go'), 'holds the context of every request');
    assert.equal(said('Listed', 'said.go'), 'stale after a while');
    assert.equal(said('Leads', 'said.go'), '');
    assert.equal(said('Noted', 'said.go'), '');
  });

  it('takes neither headings, nor a row of signs, nor a single word of a comment for a description', () => {
    assert.equal(said('logAll', 'headed.js'), 'writes all that is told');
    assert.equal(said('flush', 'headed.js'), '');
    assert.equal(said('retry', 'headed.js'), 'again and again');
  });

  it('keeps bold words whole', () => {
    const [section] = index.passagesNamed('Limits', 'guide.md');
    assert.equal(section && firstSentence(section, index), 'Every search has limits: by default 1,000 calls');
  });

  it('gives bare members the name of what they belong to', () => {
    assert.ok(index.passagesNamed('ip.get', 'request.js').length === 1);
    assert.ok(index.passagesNamed('Cache.__init__', 'cache.py').length === 1);
  });
});

describe('what a name says', () => {
  it('is an act if it begins with one', () => {
    assert.equal(phraseOfName('checkTimeout'), 'checks the timeout');
    assert.equal(phraseOfName('retry_all_jobs'), 'retries all jobs');
    assert.equal(phraseOfName('flushOnExit'), 'flushes on exit');
    for (const name of ['timeout', 'get', 'Queue', 'aVeryLongNameOfManyManyWords', ''])
      assert.equal(phraseOfName(name), '');
  });

  it('is found in any script', () => {
    assert.equal(sentenceIn('添加任务。然后唤醒。'), '添加任务');
    assert.equal(sentenceIn('https://example.org/'), '');
  });
});
