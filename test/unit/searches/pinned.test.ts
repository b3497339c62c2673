import { callsAsPinned, withPinned } from '../../support/pinned/checks.ts';
import { inThisProcess } from '../../support/pinned/in-process.ts';
import { PINNED } from '../../support/pinned/scripts.ts';

// What the built command does with them is an end-to-end test.
for (const name of Object.keys(PINNED))
  describe(`a pinned search: ${name}`, () => {
    it('tells its calls to their exact words', () => withPinned(name, inThisProcess, callsAsPinned));
  });
