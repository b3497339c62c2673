import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Compose {
  readonly services: Readonly<Record<string, { readonly env_file?: string; readonly volumes: readonly string[] }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

describe("the example of doc/fleet.md for Docker's Compose", () => {
  const doc = readFileSync('doc/fleet.md', 'utf8');
  const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(doc) ?? [];
  const [steps = ''] = [...doc.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, text = '']) =>
    text.includes('docker compose') ? [text] : [],
  );

  it('is told after the commands that make every file of it', () => {
    const { services, secrets } = parse(yaml) as Compose;
    const files = [
      ...Object.values(services).flatMap(({ env_file: file }) => file ?? []),
      ...Object.values(secrets).map(({ file }) => file.replace(/^\.\//, '')),
    ];
    assert.deepEqual(files.sort(), ['db-password', 'worker.env']);
    const before = steps.slice(0, steps.indexOf('docker compose'));
    for (const file of files) assert.ok(before.includes(`> ${file}\n`), file);
  });

  it('makes the role with the password that workers get', () => {
    const [, sql = ''] = /```sql\n(create role tree_worker .*?)```/s.exec(doc) ?? [];
    assert.equal(sql.split('…').length, 2, 'one place for a password');
    assert.match(steps, /sed "s\/…\/\$\(sed s\/PGPASSWORD=\/\/ worker\.env\)\/" worker-role\.sql \|/);
  });
});
