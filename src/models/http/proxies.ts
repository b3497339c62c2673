import http from 'node:http';
import https from 'node:https';

type Variables = Readonly<Record<string, string | undefined>>;

const LOOPBACK = ['localhost', '127.0.0.1', '::1', '[::1]'];

/** Lets the requests of this process go through the proxies that its environment names, but never those to itself. */
export function useProxies(env: Variables = process.env): void {
  const noProxy = [env['no_proxy'] || env['NO_PROXY'] || '', ...LOOPBACK].filter(Boolean).join(',');
  const named = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].some((name) => env[name]);
  if (!named || !takesProxies()) return;
  // The rest is as in Node's own.
  const options = { keepAlive: true, timeout: 5000, proxyEnv: { ...env, no_proxy: noProxy } };
  try {
    http.globalAgent = new http.Agent(options);
    https.globalAgent = new https.Agent(options);
  } catch {
    // An address that is none: the first request says that its server is not reached, and names it.
  }
}

/** Tells whether a version of Node has agents that use proxies: older ones pass over what they are told of them. */
export function takesProxies(version = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

/** A proxy that the environment names for an address. */
export interface Proxy {
  /** Its host, without the user and the password that may stand before it. */
  readonly host: string;
  readonly variable: string;
  /** True if this version of Node can use it. */
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
  return { host, variable, isUsed: takesProxies() };
}

function isMeant({ hostname, host }: URL, exception: string): boolean {
  const name = exception.replace(/^\*?\./, '').toLowerCase();
  return exception === '*' || hostname === name || host === name || hostname.endsWith(`.${name}`);
}
