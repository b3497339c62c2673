/** What of a provider decides which key is sent. */
export interface KeyRules {
  /** The environment variables that people put its key into, the usual one first. */
  readonly keyVariables: readonly string[];
  /** Where the provider itself answers; undefined where there is no such place. */
  readonly defaultBaseUrl?: string;
  /** Whether it answers nobody without a key. */
  readonly needsKey: boolean;
}

/** What a person said. */
export interface KeySources {
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Where keys are looked up that were not given; empty unless told. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Our own variable: it goes with our own base URL, to whatever host that is. */
const OURS = 'THOUGHT_TREE_API_KEY';

/**
 * The key for a server, and the variable to name where it is missing or wrong. A key that was given counts. At the
 * provider's own address only its own variables do: our variable may hold the key of another server. At any other
 * address ours comes first, then the provider's.
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

/** Whether requests go to the host that the provider's keys are for. */
export function isAtHome({ defaultBaseUrl }: KeyRules, { baseUrl }: KeySources): boolean {
  if (defaultBaseUrl === undefined) return false;
  if (!baseUrl?.trim()) return true;
  return URL.parse(baseUrl.trim())?.origin === URL.parse(defaultBaseUrl)?.origin;
}
