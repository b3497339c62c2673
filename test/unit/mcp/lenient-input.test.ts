import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { lenientInput } from '../../../src/mcp/server.ts';

const Input = z.object({
  title: z.string(),
  rounds: z.number().optional(),
  isDeep: z.boolean().optional(),
  nodes: z.array(z.object({ id: z.string(), parents: z.array(z.string()).nullable() })).optional(),
});
const validate = async (value: unknown) => await lenientInput(Input)['~standard'].validate(value);

describe('the arguments of a tool', () => {
  it('may come as text where they are numbers, truth values or lists, lists within lists, too', async () => {
    const nodes = [{ id: 'R1.A', parents: ['R0'] }];
    const inner = [{ id: 'R1.A', parents: '["R0"]' }];
    for (const given of [
      { title: 'A', rounds: '5', isDeep: 'true', nodes: JSON.stringify(nodes) },
      { title: 'A', rounds: ' 5 ', isDeep: 'True', nodes: JSON.stringify(inner) },
    ])
      assert.deepEqual(await validate(given), { value: { title: 'A', rounds: 5, isDeep: true, nodes } });
  });

  it('stay text where text is taken', async () => {
    for (const title of ['5', '["a"]', 'true']) assert.deepEqual(await validate({ title }), { value: { title } });
  });

  it('are refused as they were given where they say something else', async () => {
    for (const given of [
      { title: 'A', rounds: 'five' },
      { title: 'A', nodes: '"R1.A"' },
      { title: 7 },
      '{"title": "A"}',
      null,
    ])
      assert.deepEqual(
        ((await validate(given)) as { issues: unknown }).issues,
        ((await Input['~standard'].validate(given)) as { issues: unknown }).issues,
      );
  });

  it('of any form are checked, and not changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom('title', 'rounds', 'nodes', '__proto__'), fc.jsonValue(), {
          noNullPrototype: true,
        }),
        async (given) => {
          const before = structuredClone(given);
          await validate(given);
          assert.deepEqual(given, before);
        },
      ),
    );
  });
});
