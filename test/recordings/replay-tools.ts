import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RECORDING, START, writeCode } from './tools-workspace.ts';

// Runs a kept search of a model with tools again, on the code that it read, offline and for nothing.
const folder = await mkdtemp(join(tmpdir(), 'thought-tree-tools-'));
await writeCode(folder);
await copyFile(RECORDING, join(folder, 'tools.jsonl'));
const cli = join(import.meta.dirname, '../../src/cli/cli.ts');
const args = [cli, ...START, '--model', 'replay/tools.jsonl', ...process.argv.slice(2)];
const [code] = await once(spawn(process.execPath, args, { cwd: folder, stdio: 'inherit' }), 'close');
process.stdout.write(`The code and the search are in ${folder}\n`);
process.exitCode = Number(code ?? 1);
