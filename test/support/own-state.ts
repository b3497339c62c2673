import { mkdtempSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';

/**
 * A state folder of this process of tests, and of all that it starts: what a test does is not remembered in the home of
 * whoever runs it. Searches have random ids, so that tests of one process do not meet.
 */
const state = mkdtempSync(join(tmpdir(), 'thought-tree-state-'));
process.env['XDG_STATE_HOME'] = state;
// Nor are the folders that it makes indexed in there.
process.env['THOUGHT_TREE_CACHE'] = join(state, 'cache');
atExit(() => rmSync(state, { recursive: true, force: true }));

// Hundreds of processes start with the same code: what Node made of it is kept, except where lines are counted.
if (!process.env['NODE_V8_COVERAGE']) {
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/compiled');
  enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}
