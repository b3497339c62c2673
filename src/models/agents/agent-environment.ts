/** The variables that any program needs to find its files, its home folder and the network. */
const COMMON = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'XDG_CONFIG_HOME'],
  ...['TEMP', 'TMP', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA'],
  ...['SYSTEMROOT', 'COMSPEC', 'PATHEXT'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'],
];

/** Tells whether every program gets a variable, so that it holds no key of a service. */
export function isCommon(name: string): boolean {
  return COMMON.includes(name.toUpperCase());
}

/** Names further variables, separated by commas, that an agent is to get. */
const MORE = 'THOUGHT_TREE_AGENT_ENV';

/**
 * The environment of an agent's process: listed variables only, since ours may hold the keys of other services.
 * @param own the names of its own variables, in upper case
 */
export function agentEnvironment(env: NodeJS.ProcessEnv, own: readonly string[]): Record<string, string> {
  const more = (env[MORE] ?? '').split(',').map((name) => name.trim().toUpperCase());
  const names = new Set([...COMMON, ...own, ...more.filter((name) => name !== '')]);
  // In upper case: Windows ignores case, and proxy variables are written either way.
  const given = Object.entries(env).filter(([name, value]) => value !== undefined && names.has(name.toUpperCase()));
  return Object.fromEntries(given) as Record<string, string>;
}
