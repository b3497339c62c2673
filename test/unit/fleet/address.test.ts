import assert from 'node:assert/strict';
import { readQueueAddress } from '../../../src/fleet/address.ts';

describe('the address of a queue', () => {
  it('is reached by TLS with a checked certificate, unless it is on this computer', () => {
    const sslOf = (address: string): unknown => readQueueAddress(address).ssl;
    assert.deepEqual(sslOf('postgres://db.example/tree'), { rejectUnauthorized: true });
    assert.deepEqual(sslOf('postgresql://u:p@10.0.0.7:5433/tree'), { rejectUnauthorized: true });
    for (const here of ['localhost', '127.0.0.1', '127.8.9.1:5433', '[::1]'])
      assert.equal(sslOf(`postgres://${here}/tree`), false, here);
    assert.equal(sslOf('postgres://u@x/tree?host=/run/postgresql'), false);
    for (const elsewhere of ['localhost.example', '127.0.0.1.example', '0.0.0.0', '[::2]'])
      assert.deepEqual(sslOf(`postgres://${elsewhere}/tree`), { rejectUnauthorized: true }, elsewhere);
    assert.deepEqual(sslOf('postgres://localhost/tree?sslmode=verify-full'), { rejectUnauthorized: true });
  });

  it('is weaker only if it says so itself, which is told', () => {
    const plain = readQueueAddress('postgres://db.example/tree?sslmode=disable');
    assert.equal(plain.ssl, false);
    assert.match(plain.weak.map(({ text }) => text).join(), /not encrypted/);
    const open = readQueueAddress('postgres://db.example/tree?sslmode=no-verify');
    assert.deepEqual(open.ssl, { rejectUnauthorized: false });
    assert.match(open.weak.map(({ text }) => text).join(), /certificate is not checked/);
    for (const safe of ['postgres://db.example/tree', 'postgres://localhost/tree?sslmode=disable'])
      assert.deepEqual(readQueueAddress(safe).weak, []);
  });

  it('is shown without its password', () => {
    const { shown, password, secrets, host, port, user, database } = readQueueAddress(
      'postgres://me:p%40ss@db:5433/my%20tree',
    );
    assert.deepEqual([host, port, user, password, database], ['db', 5433, 'me', 'p@ss', 'my tree']);
    assert.equal(shown, 'postgres://me@db:5433/my tree');
    assert.deepEqual(secrets, ['p@ss', 'p%40ss']);
  });

  it('names the schema where a database has several fleets', () => {
    assert.equal(readQueueAddress('postgres://db/tree').schema, 'thought_tree');
    assert.equal(readQueueAddress('postgres://db/tree?schema=night_shift_2').schema, 'night_shift_2');
  });

  for (const wrong of [
    '',
    'db.example',
    'https://db.example/tree',
    'postgres:///tree',
    'postgres://db.example/tree?sslmode=require',
    'postgres://db.example/tree?sslmode=prefer',
    'postgres://db.example/tree?options=-csearch_path%3Dx',
    'postgres://db.example/tree?host=other.example',
    'postgres://db.example/%zz',
    'postgres://db.example/tree?schema=',
    'postgres://db.example/tree?schema=a%22;drop',
    'postgres://db.example/tree?schema=2nd',
    `postgres://db.example/tree?schema=${'x'.repeat(41)}`,
    'postgres://db.example/tree?sslrootcert=/there/is/none',
  ])
    it(`is refused as ${wrong || 'nothing'}`, () => {
      assert.throws(() => readQueueAddress(wrong), { reason: 'bad-input' });
    });
});
