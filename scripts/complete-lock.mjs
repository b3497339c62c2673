// Adds an entry to package-lock.json for every platform package that is named as optional but could not be looked up.
import { readFileSync, writeFileSync } from 'node:fs';

const file = 'package-lock.json';
const lock = JSON.parse(readFileSync(file, 'utf8'));
const CPU = ['arm64', 'x64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el'];
const OS = ['android', 'darwin', 'linux', 'win32', 'freebsd', 'netbsd', 'openbsd', 'sunos', 'aix', 'openharmony'];
let added = 0;
for (const [path, pkg] of Object.entries(lock.packages))
  for (const [name, version] of Object.entries(pkg.optionalDependencies ?? {})) {
    if (path === '' || lock.packages[`node_modules/${name}`] || lock.packages[`${path}/node_modules/${name}`]) continue;
    const words = name.replace(/^.*\//, '').replace('windows', 'win32').split(/[-.]/);
    const os = OS.filter((o) => words.includes(o)),
      cpu = CPU.filter((c) => words.includes(c));
    if (words.some((w) => /^(gnueabihf|musleabihf|eabi)$/.test(w)) && !cpu.length) cpu.push('arm');
    if (os.length === 0) {
      console.error('not a platform package:', name);
      continue;
    }
    lock.packages[`node_modules/${name}`] = {
      version: version.replace(/^[~^]/, ''),
      cpu: cpu.length ? cpu : undefined,
      dev: pkg.dev,
      libc: os[0] === 'linux' && words.some((w) => w.startsWith('musl')) ? ['musl'] : undefined,
      optional: true,
      os,
    };
    added++;
  }
const sorted = Object.keys(lock.packages).sort((a, b) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries(sorted.map((k) => [k, lock.packages[k]]));
if (added) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} platform packages added`);
