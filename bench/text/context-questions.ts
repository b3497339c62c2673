/** A question on mocha's sources, and the line that decides its answer. */
export interface DecidedQuestion {
  readonly question: string;
  readonly path: string;
  /** The line without its indentation; where it stands more than once, any of them will do. */
  readonly line: string;
}

/** Written from mocha 12's sources before the lines that models are given were measured. */
export const DECIDED_QUESTIONS: readonly DecidedQuestion[] = [
  {
    question: 'What happens if a test is still running when its time is up?',
    path: 'lib/runnable.js',
    line: 'self.callback(self._timeoutError(ms));',
  },
  {
    question: 'Why would a test that finished by itself still fail for being too slow?',
    path: 'lib/runnable.js',
    line: 'if (!err && self.duration > ms && ms > 0) {',
  },
  {
    question: 'What if a test both takes a callback and returns a promise?',
    path: 'lib/runnable.js',
    line: 'if (result && utils.isPromise(result)) {',
  },
  {
    question: 'What is reported when a promise is rejected without any reason?',
    path: 'lib/runnable.js',
    line: 'reason || new Error("Promise rejected with no or falsy reason"),',
  },
  {
    question: 'How long may a test take by default?',
    path: 'lib/suite.js',
    line: 'this._timeout = 2000;',
  },
  {
    question: 'When is a failed test run once more instead of being counted as failed?',
    path: 'lib/runner.js',
    line: 'if (retry < test.retries()) {',
  },
  {
    question: 'What stops the remaining tests of a suite after the first failure?',
    path: 'lib/runner.js',
    line: 'if (self.failures && suite._bail) {',
  },
  {
    question: 'Which tests are left out when a pattern for titles is given, and how is that inverted?',
    path: 'lib/runner.js',
    line: 'if (self._invert) {',
  },
  {
    question: 'How is a leak of a global variable told from those that are allowed?',
    path: 'lib/runner.js',
    line: 'leaks = filterLeaks(ok, globals);',
  },
  {
    question: 'Are after hooks of the parent suites run when a beforeEach hook fails?',
    path: 'lib/runner.js',
    line: 'self.suite = after ? errSuite.parent : errSuite;',
  },
  {
    question: 'What becomes of an exception that arrives after the test it belongs to has already passed?',
    path: 'lib/runner.js',
    line: 'if (runnable.isPassed()) {',
  },
  {
    question: 'Is a run without a single test a failure?',
    path: 'lib/runner.js',
    line: 'if (!this.total && this._opts.failZero) this.failures = 1;',
  },
  {
    question: 'How many workers are started in parallel mode if nothing is said?',
    path: 'lib/nodejs/buffered-worker-pool.cjs',
    line: 'maxWorkers: workerpool.cpus - 1,',
  },
  {
    question: 'Do the workers of a parallel run use threads or processes?',
    path: 'lib/nodejs/buffered-worker-pool.cjs',
    line: 'workerType: "process",',
  },
  {
    question: 'Which options are not passed on to the workers?',
    path: 'lib/nodejs/parallel-buffered-runner.cjs',
    line: 'delete options[opt];',
  },
  {
    question: 'What happens to the worker pool when somebody presses Ctrl-C?',
    path: 'lib/nodejs/parallel-buffered-runner.cjs',
    line: 'await pool.terminate(true);',
  },
  {
    question: 'What if a watched file changes while the tests are still running?',
    path: 'lib/cli/watch-run.cjs',
    line: 'runner.abort();',
  },
  {
    question: 'How long does watch mode wait for the watchers to be ready before it gives up?',
    path: 'lib/cli/watch-run.cjs',
    line: 'const maxAttempts = 400;',
  },
  {
    question: 'Which name of a configuration file wins if there are several?',
    path: 'lib/cli/config.cjs',
    line: '".mocharc.cjs",',
  },
  {
    question: 'What is the largest exit code that the process ends with?',
    path: 'lib/cli/run-helpers.cjs',
    line: 'const clampedCode = passOnFailingTestSuite ? 0 : Math.min(code, 255);',
  },
  {
    question: 'In which order are the files given with --file and the other test files run?',
    path: 'lib/cli/collect-files.cjs',
    line: '...fileArgs.map((filepath) => path.resolve(filepath)),',
  },
  {
    question: 'Are hidden files in a directory picked up as tests?',
    path: 'lib/cli/lookup-files.js',
    line: 'isHiddenOnUnix(pathname)',
  },
  {
    question: 'When is no difference between the actual and the expected value printed?',
    path: 'lib/reporters/base.js',
    line: 'sameType(err.actual, err.expected) &&',
  },
  {
    question: 'What does the loader do when importing a test file fails because the module was not found?',
    path: 'lib/nodejs/esm-utils.cjs',
    line: 'err.code === "ERR_MODULE_NOT_FOUND" ||',
  },
];
