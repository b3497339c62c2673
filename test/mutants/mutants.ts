/** One rule of the engine, and the smallest change of the source that breaks it. */
export interface Mutant {
  readonly name: string;
  /** What holds without the change. */
  readonly rule: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly search: string;
  readonly replace: string;
  /** The test that is there to find it, and runs first. */
  readonly test: string;
}

/** Twenty rules: the tests find out when one of them is broken (`npm run test:mutants`). */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'one-call-too-many',
    rule: 'no more calls are made than the limit says',
    file: 'src/core/money/ledger.ts',
    search: 'if (guards.calls !== undefined && calls > guards.calls)',
    replace: 'if (guards.calls !== undefined && calls > guards.calls + 1)',
    test: 'test/unit/core/money/ledger.test.ts',
  },
  {
    name: 'money-under-way',
    rule: 'money of calls under way counts, so that a limit in dollars is never overspent',
    file: 'src/core/money/ledger.ts',
    search: 'this.#sums.usd + reserved.usd + (worst.usd ?? 0)',
    replace: 'this.#sums.usd + (worst.usd ?? 0)',
    test: 'test/unit/core/money/ledger.test.ts',
  },
  {
    name: 'sent-before-booked',
    rule: 'a call is booked on the disk before it is sent',
    file: 'src/engine/model-caller.ts',
    search: 'return await history.record({ ...start, worst }, true);',
    replace: 'return void history.record({ ...start, worst }, true);',
    test: 'test/unit/engine/crash.test.ts',
  },
  {
    name: 'killed-call-is-free',
    rule: 'a call that a killed process left counts at its worst case',
    file: 'src/core/money/ledger.ts',
    search: 'this.#settleAtWorst(call);\n      this.#givenUp.set(call, worst);',
    replace: 'this.#release(call);\n      this.#givenUp.set(call, worst);',
    test: 'test/unit/core/money/ledger.test.ts',
  },
  {
    name: 'used-before-kept',
    rule: 'an answer is kept before it is made into files',
    file: 'src/engine/question.ts',
    search: 'await this.#write(conversation);',
    replace: 'void this.#write(conversation);',
    test: 'test/unit/engine/calls/asks.test.ts',
  },
  {
    name: 'one-more-try',
    rule: 'a request is tried five times at most',
    file: 'src/engine/patience.ts',
    search: 'if (++this.#failures >= ATTEMPTS) return false;',
    replace: 'if (++this.#failures > ATTEMPTS) return false;',
    test: 'test/unit/engine/calls/tries.test.ts',
  },
  {
    name: 'any-lease-is-mine',
    rule: 'a lease is lost where its file has the token of another',
    file: 'src/store/lease/lease.ts',
    search: 'existsNow(leasePath(this.epoch + 1)) || !this.#isMine();',
    replace: 'existsNow(leasePath(this.epoch + 1));',
    test: 'test/unit/store/lease/lease.test.ts',
  },
  {
    name: 'commit-without-lease',
    rule: 'the lease is checked at the moment of a write, not only before',
    file: 'src/store/files/disk/disk-files.ts',
    search: 'options.beforeCommit?.();\n          this.#disk.renameSync(',
    replace: 'this.#disk.renameSync(',
    test: 'test/unit/store/files/disk/disk-files.test.ts',
  },
  {
    name: 'torn-line-stays',
    rule: 'a line of the journal that a kill tore is cut off',
    file: 'src/store/journal/journal.ts',
    search: 'if (whole < found.size) await this.#files.truncate(this.#file, whole, { beforeCommit: this.#check });',
    replace: '',
    test: 'test/unit/store/journal/journal.test.ts',
  },
  {
    name: 'path-leads-out',
    rule: 'a path stays below the folder of its search',
    file: 'src/store/files/file-path.ts',
    search: "isOddPath(path) || path.includes(':') || NO_NAME.test(path)",
    replace: "isOddPath(path) || path.includes(':')",
    test: 'test/unit/store/files/files.test.ts',
  },
  {
    name: 'pruned-is-written',
    rule: 'what a person pruned meanwhile stays pruned',
    file: 'src/engine/nodes.ts',
    search: "if (file && file.status !== 'pruned') return file;",
    replace: 'if (file) return file;',
    test: 'test/unit/engine/nodes/nodes.test.ts',
  },
  {
    name: 'document-of-a-person',
    rule: 'a document that a person wrote is never overwritten',
    file: 'src/kinds/research/research.ts',
    search: "if (standing !== undefined && (answered !== undefined || standing.trim() !== '')) {",
    replace: 'if (standing !== undefined && answered !== undefined) {',
    test: 'test/unit/engine/nodes/edits.test.ts',
  },
  {
    name: 'accepted-over-edits',
    rule: "accepted work never overwrites a person's own change",
    file: 'src/work/accept/acceptance.ts',
    search: "if (!isKnown && !isEmptied && !matches(found, after, of(after), false)) return 'edited';",
    replace: '',
    test: 'test/unit/work/accept.test.ts',
  },
  {
    name: 'fork-in-its-source',
    rule: 'a fork of a conversation never changes what it was forked from',
    file: 'src/kinds/research/node-conversation.ts',
    search: 'const fork: Conversation = { id, ',
    replace: 'const fork: Conversation = { id: parent?.sessionId ?? id, ',
    test: 'test/unit/engine/search.test.ts',
  },
  {
    name: 'secret-in-a-prompt',
    rule: 'what looks like a secret is not sent, wherever it comes from',
    file: 'src/searches/models/prepare-model.ts',
    search: 'prompt: await hide(request.prompt),',
    replace: 'prompt: request.prompt,',
    test: 'test/unit/searches/sent-secrets.test.ts',
  },
  {
    name: 'copy-is-trusted',
    rule: 'a copy of a search is not trusted like the search itself',
    file: 'src/searches/trust/search-use.ts',
    search: 'const isHere = use?.path === (await realPath(folder)) &&',
    replace: 'const isHere = use !== undefined &&',
    test: 'test/unit/searches/trust/own-search.test.ts',
  },
  {
    name: 'anybody-may-ask',
    rule: 'requests to a running search are proved with the key of its user',
    file: 'src/store/requests/request-files.ts',
    search: 'return wanted.length === given.length && timingSafeEqual(wanted, given);',
    replace: 'return wanted.length === given.length || timingSafeEqual(wanted, wanted);',
    test: 'test/unit/store/requests/request-proof.test.ts',
  },
  {
    name: 'kept-answers-are-lost',
    rule: 'answers to offers that were kept and not applied are applied by the next process',
    file: 'src/engine-parts/offers/offers.ts',
    search: 'if (this.#parts.protocol) for (const batch of this.#book.unapplied) await this.#apply(batch);',
    replace: '',
    test: 'test/unit/engine-parts/offers/crash.test.ts',
  },
  {
    name: 'command-without-consent',
    rule: 'no command line runs that the person did not agree to',
    file: 'src/work/workshop-of-store.ts',
    search:
      "if (!isAllowed(command.line)) throw new ThoughtTreeError('declined', notAllowed({ line: shownLine(command.line) }));",
    replace: 'isAllowed(command.line);',
    test: 'test/unit/work/commands.long.test.ts',
  },
  {
    name: 'uncheckable-is-a-pass',
    rule: 'work counts only where its checks were seen to hold: what cannot be checked is never a pass',
    file: 'src/kinds/work-graph/run/atom-moves.ts',
    search: "if (allOf(topLevel(judged.evidence).map(({ word }) => word)) !== 'verified')",
    replace: "if (allOf(topLevel(judged.evidence).map(({ word }) => word)) === 'contradicted')",
    test: 'test/unit/kinds/work-graph/run/whole-run.test.ts',
  },
];
