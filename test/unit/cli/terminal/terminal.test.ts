import assert from 'node:assert/strict';
import { wantsColour } from '../../../../src/cli/terminal/terminal.ts';

const screen = { isTTY: true };
/** Node leaves `isTTY` undefined where a stream is a file or a pipe. */
const pipe = {};

describe('whether text is coloured', () => {
  it('is on a terminal, and not where a file or a program reads it, in a CI job neither', () => {
    assert.equal(wantsColour(screen, {}), true);
    assert.equal(wantsColour(pipe, {}), false);
    assert.equal(wantsColour(pipe, { CI: 'true', GITHUB_ACTIONS: 'true' }), false);
    assert.equal(wantsColour(screen, { TERM: 'dumb' }), false);
  });

  it('is as NO_COLOR and FORCE_COLOR say, the first above the second', () => {
    assert.equal(wantsColour(screen, { NO_COLOR: '1' }), false);
    assert.equal(wantsColour(pipe, { FORCE_COLOR: '1' }), true);
    assert.equal(wantsColour(pipe, { FORCE_COLOR: '0' }), false);
    assert.equal(wantsColour(screen, { NO_COLOR: '1', FORCE_COLOR: '1' }), false);
  });
});
