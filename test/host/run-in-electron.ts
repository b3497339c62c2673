// Runs test/host-suite inside the desktop's VS Code, which is downloaded unless VSCODE_EXECUTABLE names one: the newest, or
// VSCODE_VERSION.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { bundleSuite } from './bundle-suite.ts';

const ROOT = join(import.meta.dirname, '../..');
const installed = process.env['VSCODE_EXECUTABLE'];
const suite = await bundleSuite(process.argv[2] ?? join(ROOT, 'test/host-suite/**/*.test.ts'));
const temporary = mkdtempSync(join(tmpdir(), 'thought-tree-suite-'));
const workspace = join(temporary, 'workspace');
cpSync(join(import.meta.dirname, 'sample-workspace'), workspace, { recursive: true });
try {
  process.exitCode = await runTests({
    ...(installed ? { vscodeExecutablePath: installed } : { version: process.env['VSCODE_VERSION'] ?? 'stable' }),
    extensionDevelopmentPath: [ROOT, join(import.meta.dirname, 'lm-provider')],
    extensionTestsPath: suite.main,
    launchArgs: [workspace, '--disable-extensions', `--user-data-dir=${join(temporary, 'user')}`],
    cachePath: join(ROOT, 'node_modules/.cache/vscode-test'),
  });
} finally {
  for (const folder of [suite.folder, temporary]) rmSync(folder, { recursive: true, force: true });
}
