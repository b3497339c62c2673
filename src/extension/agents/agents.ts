import { copyMcpConfiguration } from './copy-mcp-configuration.ts';
import { installSkill } from './install-skill.ts';
import { writeLauncher } from './mcp-launcher.ts';
import { serverDefinitions, serverToStart } from './server-definitions.ts';

/** The things that agents outside of the window are given: a separate bundle, as most people need it once at most. */
export const agents = {
  copyMcpConfiguration,
  installSkill,
  /** Writes the launcher again if it is of another version. */
  keepLauncher: async (context: Parameters<typeof writeLauncher>[0]): Promise<void> =>
    void (await writeLauncher(context, process.execPath, process.platform)),
  serverDefinitions,
  serverToStart,
};
