// Installs the real Claude Agent SDK with its program for this machine. It is not a part of our package: its licence and
// its 370 MB are its own.
//   node test/agents/install.ts    installs it where it is missing (about 20 seconds) and prints the folder
import { join } from 'node:path';
import { installPackages } from '../support/install-packages.ts';

/** The folder whose `node_modules` hold the SDK. */
export function installAgents(): Promise<string> {
  return installPackages(join(import.meta.dirname, 'sdk'), 'agents');
}

if (import.meta.main) process.stdout.write(`${await installAgents()}\n`);
