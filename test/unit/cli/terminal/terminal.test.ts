import assert from 'node:assert/strict';
import { wantsColour } from '../../../../src/cli/terminal/terminal.ts';

const screen = { isTTY: true };
/** Node leaves `isTTY` undefined where a stream is a file or a pipe. */
const pipe = {};

describe('whether text is coloured', () => {
  it('is so on a terminal, but not for a file, a program or a CI job', () => {
    assert.equal(wantsColour(screen, {}), true);
    assert.equal(wantsColour(pipe, {}), false);
    assert.equal(wantsColour(pipe, { CI: 'true', GITHUB_ACTIONS: 'true' }), false);
    assert.equal(wantsColour(screen, { TERM: 'dumb' }), false);
  });

  it('follows NO_COLOR and FORCE_COLOR, the former taking precedence', () => {
    assert.equal(wantsColour(screen, { NO_COLOR: '1' }), false);
    assert.equal(wantsColour(pipe, { FORCE_COLOR: '1' }), true);
    assert.equal(wantsColour(pipe, { FORCE_COLOR: '0' }), false);
    assert.equal(wantsColour(screen, { NO_COLOR: '1', FORCE_COLOR: '1' }), false);
  });
});
