import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runCli } from './run-cli.ts';

const FILES = {
  'src/queue.ts':
    'export class Queue {\n  /** Adds a job at the end. */\n  push(job: Job): void {\n    if (this.jobs.length >= this.limit) throw new Error("full");\n    this.jobs.push(job);\n  }\n}\n\nexport function limitOf(queue: Queue): number {\n  return queue.limit;\n}\n',
  'src/send.ts':
    "import { limitOf } from './queue.ts';\n\nexport function send(queue: Queue): void {\n  if (limitOf(queue) > 3) wait();\n}\n",
};

function madeWorkspace(): string {
  const folder = temporaryFolder('find-');
  mkdirSync(join(folder, 'src'));
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(folder, path), text);
  return folder;
}

describe('find', () => {
  it('prints the lines that answer as a small tree, and writes no search', async () => {
    const cwd = madeWorkspace();
    const { code, stdout, stderr } = await runCli(['find', 'Which limit does a queue of jobs have?'], { cwd });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Looking in /);
    assert.match(stdout, /^Which limit does a queue of jobs have\?\n/);
    assert.match(stdout, /^[├└]─ src\/queue\.ts:\d+ {2}/m);
    assert.match(stdout, /^[│ ] {2,3}\s*4 {3,}if \(this\.jobs\.length >= this\.limit\)/m);
    assert.match(stdout, /2 files were searched; no model was asked\.\n$/);
    assert.ok(!existsSync(join(cwd, 'thought-trees')));
  });

  it('shows who calls a place where that is wanted, and gives all of it to a program', async () => {
    const cwd = madeWorkspace();
    const asked = ['find', 'What is limitOf?'];
    const plain = await runCli(asked, { cwd });
    assert.match(plain.stdout, /Called by send \(src\/send\.ts:4\)\./);
    const { stdout } = await runCli([...asked, '--callers'], { cwd });
    assert.match(stdout, /└─ src\/send\.ts:4 {2}send\n.* 4 {2,}if \(limitOf\(queue\) > 3\) wait\(\);/s);
    const { places } = JSON.parse((await runCli([...asked, '--json'], { cwd })).stdout) as {
      places: { link: string }[];
    };
    assert.match(places[0]?.link ?? '', /^src\/queue\.ts#L\d+$/);
  });

  it('says that there is nothing, and what to try', async () => {
    const { code, stdout } = await runCli(['find', 'Where do elephants sleep?'], { cwd: madeWorkspace() });
    assert.equal(code, 0);
    assert.match(stdout, /In no file: elephants, sleep\./);
    assert.match(stdout, /Nothing was found\. Ask with the words of the files/);
  });
});
