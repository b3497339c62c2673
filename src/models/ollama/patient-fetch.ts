import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';

/**
 * A `fetch` that waits for the first byte as long as its signal allows: Node's own gives up after five minutes, and a
 * large model on a slow disk takes longer to load. Follows no redirects.
 */
export const patientFetch: typeof fetch = (input, init) => {
  const { method = 'GET', headers, body, signal } = init ?? {};
  const url = new URL(input instanceof Request ? input.url : input);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const options = { method, headers: Object.fromEntries(new Headers(headers)), ...(signal ? { signal } : {}) };
    const request = send(url, options, (message) => {
      const { statusCode: status = 502 } = message;
      const answered = new Headers();
      for (const [name, value] of Object.entries(message.headers)) answered.set(name, String(value));
      const empty = status === 204 || status === 304;
      const stream = Readable.toWeb(message) as ReadableStream<Uint8Array>;
      resolve(new Response(empty ? null : stream, { status, headers: answered }));
    });
    request.on('error', reject);
    request.end(typeof body === 'string' ? body : undefined);
  });
};
