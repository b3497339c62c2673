// npm run vscode: the user's own VS Code with this extension and a copy of the sample workspace or, if there is none, the
// workbench of the test host, to be opened in a browser.
//   npm run vscode -- [FOLDER]    another folder, itself and not a copy
//   VSCODE_EXECUTABLE=…           another VS Code than `code`
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from './ensure.mjs';

const sample = join(root, 'test', 'host', 'sample-workspace');
const folder = process.argv[2] && resolve(process.env.INIT_CWD ?? '.', process.argv[2]);
const code = process.env.VSCODE_EXECUTABLE ?? 'code';
const isWindows = process.platform === 'win32'; // where `code` is a script that needs a shell

if (run(['--version'], 'ignore') === 0) process.exitCode = run(desktopArguments(), 'inherit') ?? 1;
else await serve();

function run(args, stdio) {
  const words = isWindows ? [code, ...args].map((word) => `"${word}"`) : [code, ...args];
  const [command, ...rest] = words;
  return spawnSync(command, rest, { stdio, shell: isWindows }).status;
}

function desktopArguments() {
  return ['--new-window', `--extensionDevelopmentPath=${root}`, folder ?? copyOfSample()];
}

/** Kept afterwards, since VS Code continues after this script. */
function copyOfSample() {
  const copy = mkdtempSync(join(tmpdir(), 'thought-tree-sample-'));
  cpSync(sample, copy, { recursive: true });
  return copy;
}

async function serve() {
  console.log(`There is no VS Code named ${code}: starting the one of the tests ...`);
  const { Host } = await import('../test/host/host.ts');
  const host = await Host.start({ extensions: [root], ...(folder ? { folder } : { workspace: sample }) });
  console.log(`Open ${host.url()}\nThis runs until Ctrl-C.`);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void host.stop());
  await host.ended;
}
