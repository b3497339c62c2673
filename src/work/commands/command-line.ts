import { join } from 'node:path';
import { commandEnvironment } from '../../processes/command-environment.ts';

/** A program with its arguments. */
export interface Invocation {
  readonly program: string;
  readonly args: readonly string[];
}

/** Returns the call by which the system's shell carries out a line. */
export function shellOf(line: string): Invocation {
  return process.platform === 'win32'
    ? { program: process.env['ComSpec'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`] }
    : { program: '/bin/sh', args: ['-c', line] };
}

/** Folders of a command's own. */
export interface CommandFolders {
  /** Where it runs, and may write. */
  readonly folder: string;
  /** Its home: caches and settings of the tools that it uses. */
  readonly home: string;
  /** For temporary files. */
  readonly temporary: string;
  /** A file without content, shown in place of others. */
  readonly empty: string;
  /** These places as a sandbox shows them that can do so: a copy is seen where its original is. */
  readonly seenAs: { readonly folder: string; readonly home: string; readonly temporary: string };
  /** The person's own folder, for a set-up command that copies from it what git does not carry. */
  readonly workspace: string;
}

/** Names of variables that hold something secret. */
const SECRET =
  /KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIAL|COOKIE|SESSION|DSN|WEBHOOK|CONNECTION_STRING|CONN_STR|(?:^|_)(?:PAT|PWD|PW|JWT|SAS)(?:_|$)/;
/** A password within an address, as of a database or a proxy. */
const WITH_PASSWORD = /:\/\/[^/?#\s:@]{0,500}:[^/?#\s@]{1,500}@/;
/** Variables by which shells know where they are. */
const PLACES: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);
/** Variables that say how other programs behave: ours, the editor, package managers, a terminal or a desktop. */
const FOREIGN =
  /^(GIT_|NPM_|VSCODE_|ELECTRON_|XDG_|DBUS_|SSH_|GPG_|NODE_OPTIONS$|BASH_ENV$|ENV$|INIT_CWD$|TMP$|TEMP$|LD_)/;
/** Marks what a command started, wherever it went. */
export const MARK = 'THOUGHT_TREE_COMMAND';

/** Tools that look for themselves in the home folder, by the variable that names their place. */
const TOOLS = {
  PYENV_ROOT: '.pyenv',
  RUSTUP_HOME: '.rustup',
  NVM_DIR: '.nvm',
  VOLTA_HOME: '.volta',
  ASDF_DIR: '.asdf',
};

/**
 * The environment of a command: without keys, without what steers other programs, with a home of its own. Tools of the
 * person's home are found where they are.
 * @param searchPath the folders of programs; none of them is in the workspace
 * @param id marks what it starts
 */
export function workEnvironment(
  given: NodeJS.ProcessEnv,
  searchPath: string,
  { home, temporary, workspace }: Pick<CommandFolders, 'home' | 'temporary' | 'workspace'>,
  id: string,
): NodeJS.ProcessEnv {
  const kept = Object.entries(commandEnvironment(given)).filter(([name, value]) => {
    const upper = name.toUpperCase();
    if (PLACES.has(upper)) return true;
    return !SECRET.test(upper) && !FOREIGN.test(upper) && !WITH_PASSWORD.test((value ?? '').slice(0, 10_000));
  });
  const own = { PATH: searchPath, THOUGHT_TREE_WORKSPACE: workspace, [MARK]: id };
  if (process.platform === 'win32') return { ...Object.fromEntries(kept), ...own };
  const { HOME: person } = given;
  const tools = Object.entries(TOOLS).map(([name, folder]) => [name, given[name] ?? (person && join(person, folder))]);
  const places = { HOME: home, TMPDIR: temporary, XDG_CACHE_HOME: join(home, '.cache') };
  return { ...Object.fromEntries(tools), ...Object.fromEntries(kept), ...places, ...own };
}
