/** What any program needs to find its files, its home and its way to the network. */
const COMMON = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'XDG_CONFIG_HOME'],
  ...['TEMP', 'TMP', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA'],
  ...['SYSTEMROOT', 'COMSPEC', 'PATHEXT'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'],
];

/** Whether any program gets a variable, so that it holds no key of a service. */
export function isCommon(name: string): boolean {
  return COMMON.includes(name.toUpperCase());
}

/** Names further variables, with commas between them, that an agent is to get. */
const MORE = 'THOUGHT_TREE_AGENT_ENV';

/**
 * The environment that an agent's process gets: what is on the list, and nothing else, since ours may hold the keys of
 * other services.
 * @param own the names of its own variables, in capitals
 */
export function agentEnvironment(env: NodeJS.ProcessEnv, own: readonly string[]): Record<string, string> {
  const more = (env[MORE] ?? '').split(',').map((name) => name.trim().toUpperCase());
  const names = new Set([...COMMON, ...own, ...more.filter((name) => name !== '')]);
  // In capitals: Windows knows no difference, and proxies are written either way.
  const given = Object.entries(env).filter(([name, value]) => value !== undefined && names.has(name.toUpperCase()));
  return Object.fromEntries(given) as Record<string, string>;
}
