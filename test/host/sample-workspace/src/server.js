// Answers over HTTP where a parcel is, and takes the scans of couriers.
import { createServer } from 'node:http';
import { AnswerCache } from './cache.js';
import { RateLimit } from './rate-limit.js';
import { ScanLog } from './scans.js';

const scans = await ScanLog.open('scans.log');
const cache = new AnswerCache(10_000);
const limit = new RateLimit(50);

const server = createServer(async (request, response) => {
  const [, kind, parcel] = new URL(request.url, 'http://localhost').pathname.split('/');
  if (kind === 'parcels' && request.method === 'GET') {
    const answer = cache.get(parcel, () => scans.latest(parcel));
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'No courier has scanned this parcel yet.' }));
    return;
  }
  if (kind === 'scans' && request.method === 'POST') {
    const courier = request.headers['x-courier'];
    if (!limit.allows(courier)) {
      response.writeHead(429).end();
      return;
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const scan = JSON.parse(body);
    await scans.append(scan);
    cache.forget(scan.parcel);
    response.writeHead(204).end();
    return;
  }
  response.writeHead(404).end();
});

server.listen(8080);
