import assert from 'node:assert/strict';
import { proxyFor, takesProxies } from '../../../../src/models/http/send.ts';

const ENV = {
  HTTPS_PROXY: 'http://me:secret@proxy.example:3128',
  http_proxy: 'http://plain.example',
  NO_PROXY: 'a.example, .b.example c.example:443',
};

describe('the proxy of an address', () => {
  it('is the one that the environment names for its scheme, told without a password', () => {
    const { isUsed: _, ...secure } = proxyFor('https://api.example/v1', ENV) ?? {};
    assert.deepEqual(secure, { host: 'proxy.example:3128', variable: 'HTTPS_PROXY' });
    assert.equal(proxyFor('http://api.example/v1', ENV)?.host, 'plain.example');
    assert.equal(proxyFor('https://api.example', {}), undefined);
  });

  for (const address of [
    'https://a.example',
    'https://x.b.example:8443/v1',
    'https://c.example/v1',
    'http://127.0.0.1:8080/v1',
    'http://[::1]:1',
    'http://localhost',
  ])
    it(`is none for this computer and for exceptions: ${address}`, () =>
      assert.equal(proxyFor(address, ENV), undefined));

  it('is used by the versions of Node whose connections can', () => {
    const versions = ['22.13.0', '22.20.1', '22.21.0', '23.11.0', '24.4.1', '24.5.0', '24.13.0', '25.0.0'];
    assert.deepEqual(
      versions.filter((version) => takesProxies(version)),
      ['22.21.0', '24.5.0', '24.13.0', '25.0.0'],
    );
  });

  it('is none for all where all are exceptions', () =>
    assert.equal(proxyFor('https://c.example', { ...ENV, no_proxy: '*' }), undefined));
});
