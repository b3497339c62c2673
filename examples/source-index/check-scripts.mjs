// Checks that Node can read every script of this repository; changes nothing.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const scripts = readdirSync('scripts')
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => `scripts/${name}`);
const broken = scripts.filter((path) => spawnSync(process.execPath, ['--check', path], { stdio: 'inherit' }).status);
console.log(`${scripts.length} scripts, ${broken.length} that cannot be run`);
process.exit(broken.length > 0 ? 1 : 0);
