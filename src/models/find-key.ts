/** The properties of a provider that decide which key is sent. */
export interface KeyRules {
  /** The environment variables for its key, the usual one first. */
  readonly keyVariables: readonly string[];
  /** The provider's own address; undefined if it has none. */
  readonly defaultBaseUrl?: string;
  readonly needsKey: boolean;
}

export interface KeySources {
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Where to look up keys that were not given; empty by default. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Our own variable: it belongs to our own base URL, whatever host that is. */
const OURS = 'THOUGHT_TREE_API_KEY';

/**
 * The key for a server, and the variable to name if it is missing or wrong. A given key takes precedence. At the
 * provider's own address only its own variables count: ours may hold the key of another server. At any other address
 * ours comes first, then the provider's.
 */
export function findKey(rules: KeyRules, sources: KeySources): { apiKey: string | undefined; keyVariable: string } {
  const { keyVariables, needsKey } = rules;
  const { apiKey, environment = {} } = sources;
  const atHome = isAtHome(rules, sources);
  const variables = atHome ? (needsKey ? keyVariables : []) : [...new Set([OURS, ...keyVariables])];
  const found = variables.find((variable) => (environment[variable] ?? '').trim() !== '');
  return {
    apiKey: apiKey?.trim() ? apiKey : found && environment[found],
    keyVariable: found ?? (atHome ? (keyVariables[0] ?? OURS) : OURS),
  };
}

/** Tells whether requests go to the host that the provider's keys are for. */
export function isAtHome({ defaultBaseUrl }: KeyRules, { baseUrl }: KeySources): boolean {
  if (defaultBaseUrl === undefined) return false;
  if (!baseUrl?.trim()) return true;
  return URL.parse(baseUrl.trim())?.origin === URL.parse(defaultBaseUrl)?.origin;
}
