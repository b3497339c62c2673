import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { parser } from '../../../src/text/chunk/parser.ts';

// Parses a text, says the id of the process that did, and ends by itself or waits to be killed.
let started: ChildProcess | undefined;
subscribe('child_process', (message) => {
  started = (message as { process: ChildProcess }).process;
});
await parser.findMarks('a.ts', 'export function one() {\n  return 1;\n}\n');
process.stdout.write(`${started?.pid}\n`);
if (process.argv[2] === 'killed') setInterval(() => undefined, 1000);
