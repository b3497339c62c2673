// Installs the real Claude Agent SDK with its program for this machine, and two agents of the Agent Client Protocol. They are
// not a part of our package: their licences, and their 370 and 460 MB, are their own.
//   node test/agents/install.ts    installs them where they are missing (about a minute) and prints the folders
import { join } from 'node:path';
import { installPackages } from '../support/install-packages.ts';

/** The folder whose `node_modules` hold the SDK. */
export function installAgents(): Promise<string> {
  return installPackages(join(import.meta.dirname, 'sdk'), 'agents');
}

/** The folder whose `node_modules` hold Gemini CLI and opencode. */
export function installAcpAgents(): Promise<string> {
  return installPackages(join(import.meta.dirname, 'acp'), 'acp-agents');
}

if (import.meta.main) process.stdout.write(`${await installAgents()}\n${await installAcpAgents()}\n`);
