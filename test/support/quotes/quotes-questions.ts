/** A question about what mocha does, and the files that hold the answer. */
export interface KnownAnswer {
  readonly question: string;
  /** One file, or two where both truly hold it. */
  readonly files: readonly string[];
}

/** Written from reading mocha 12's source, before the search was tuned. None names a file. */
export const KNOWN_ANSWERS: readonly KnownAnswer[] = [
  { question: 'How are test timeouts enforced?', files: ['lib/runnable.js'] },
  { question: 'What happens when a test calls done more than once?', files: ['lib/runnable.js', 'lib/errors.js'] },
  { question: 'How does a failing test get retried?', files: ['lib/runner.js'] },
  { question: 'How are leaked global variables detected?', files: ['lib/runner.js'] },
  { question: 'Which configuration files are looked up, and in which order?', files: ['lib/cli/config.cjs'] },
  { question: 'How are the tests run again when a watched file changes?', files: ['lib/cli/watch-run.cjs'] },
  {
    question: 'How are test files handed out to workers in parallel mode?',
    files: ['lib/nodejs/parallel-buffered-runner.cjs', 'lib/nodejs/buffered-worker-pool.cjs'],
  },
  { question: 'How is the difference between actual and expected values shown?', files: ['lib/reporters/base.js'] },
  { question: 'How does marking one test as exclusive keep the others from running?', files: ['lib/suite.js'] },
  { question: 'When is the process forced to exit after the tests have finished?', files: ['lib/cli/run-helpers.cjs'] },
  {
    question: 'How does it decide between import and require to load a test file?',
    files: ['lib/nodejs/esm-utils.cjs'],
  },
  { question: 'What happens with an exception that nobody catches while a test runs?', files: ['lib/runner.js'] },
  { question: 'How do errors travel from a worker back to the main process?', files: ['lib/nodejs/serializer.js'] },
  { question: 'In which order do the hooks of nested suites run?', files: ['lib/runner.js'] },
  {
    question: 'How are root hooks and global fixtures collected from a required module?',
    files: ['lib/plugin-loader.js'],
  },
  { question: 'How are internal frames removed from the stack trace of an error?', files: ['lib/utils.cjs'] },
  { question: 'How are the numbers of passes, failures and pending tests counted?', files: ['lib/stats-collector.js'] },
  {
    question: 'How do directories and globs given on the command line become a list of test files?',
    files: ['lib/cli/lookup-files.js', 'lib/cli/collect-files.cjs'],
  },
  { question: 'Is a test that returns a promise and also takes a callback an error?', files: ['lib/runnable.js'] },
  { question: 'How are circular references handled when a value is turned into a string?', files: ['lib/utils.cjs'] },
];
