import http from 'node:http';
import https from 'node:https';

type Variables = Readonly<Record<string, string | undefined>>;

const LOOPBACK = ['localhost', '127.0.0.1', '0.0.0.0', '::1', '[::1]'];

/** Lets the requests of this process go through the proxies that its environment names, but never those to itself. */
export function useProxies(env: Variables = process.env): void {
  // A name stands for all below it, as in other programs; Node takes it to the letter.
  const below = exceptionsOf(env).flatMap((each) => (/^[*.]/.test(each) ? [each] : [each, `.${each}`]));
  const noProxy = [...below, ...LOOPBACK].join(',');
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
  if (exceptionsOf(env).some((exception) => isMeant(url, exception))) return undefined;
  const variables = url.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  const variable = variables.find((name) => env[name]);
  if (variable === undefined) return undefined;
  const host = URL.parse(env[variable] ?? '')?.host || '?';
  return { host, variable, isUsed: takesProxies() };
}

function exceptionsOf(env: Variables): string[] {
  return (env['no_proxy'] || env['NO_PROXY'] || '').split(/[\s,]+/).filter(Boolean);
}

function isMeant({ hostname, protocol, port }: URL, exception: string): boolean {
  const name = exception.replace(/^\*?\./, '').toLowerCase();
  const place = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  return exception === '*' || [hostname, place].some((each) => each === name || each.endsWith(`.${name}`));
}
