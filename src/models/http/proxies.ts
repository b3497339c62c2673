import * as http from 'node:http';

type Variables = Readonly<Record<string, string | undefined>>;

const LOOPBACK = ['localhost', '127.0.0.1', '::1', '[::1]'];

/** Lets the requests of this process go through the proxies that its environment names, but never those to itself. */
export function useProxies(env: Variables = process.env): void {
  const noProxy = [env['no_proxy'] || env['NO_PROXY'] || '', ...LOOPBACK].filter(Boolean).join(',');
  try {
    http.setGlobalProxyFromEnv?.({ ...env, no_proxy: noProxy });
  } catch {
    // An address that is none: the first request says that its server is not reached, and names it.
  }
}

/** A proxy that the environment names for an address. */
export interface Proxy {
  /** Its host, without the user and the password that may stand before it. */
  readonly host: string;
  readonly variable: string;
  /** Whether this version of Node can use it. */
  readonly isUsed: boolean;
}

/** Returns the proxy through which requests to an address go, or should; undefined if they go there by themselves. */
export function proxyFor(address: string, env: Variables = process.env): Proxy | undefined {
  const url = URL.parse(address);
  if (!url || LOOPBACK.includes(url.hostname)) return undefined;
  const exceptions = (env['no_proxy'] || env['NO_PROXY'] || '').split(/[\s,]+/).filter(Boolean);
  if (exceptions.some((exception) => isMeant(url, exception))) return undefined;
  const variables = url.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  const variable = variables.find((name) => env[name]);
  if (variable === undefined) return undefined;
  const host = URL.parse(env[variable] ?? '')?.host || '?';
  return { host, variable, isUsed: typeof http.setGlobalProxyFromEnv === 'function' };
}

function isMeant({ hostname, host }: URL, exception: string): boolean {
  const name = exception.replace(/^\*?\./, '').toLowerCase();
  return exception === '*' || hostname === name || host === name || hostname.endsWith(`.${name}`);
}
