import assert from 'node:assert/strict';
import { type LookupPlace, lookupIn } from '../../../../src/core/ports/workspace-text.ts';
import { ask, below, childrenOf, documentOf } from '../../../support/quotes/quotes-workspace.ts';
import { closeModels, mochaModel, modelWith } from '../../../support/quotes/shared-models.ts';

const FILES = {
  'src/parking.ts': `/** How long a car has been parked. */
export function parkedMinutes(car: Car): number {
  return minutesBetween(car.parkedAt, now());
}

/** Lets a parked car go. */
export function leave(car: Car): Receipt {
  const minutes = parkedMinutes(car);
  if (minutes > 42) throw new Error('pay first');
  return receiptOf(car);
}
`,
  'src/kennel.ts': `'use strict';
/** Fits a dog. */
export function fitKennel<
  Kennel = FitKennel,
  Dog = KennelDog<FitKennel>,
>(dog: Dog, kennel: Kennel): Kennel {
  return kennel.with(dog);
}
`,
  'src/tide.rs': `/// Gates of a harbour.
#[derive(Debug, Clone, PartialEq, Gate, Harbour, Tide)]
pub struct Gate {
    pub is_open: bool,
}

/// Closes the harbour gate when the tide is high.
#[must_use = "the harbour gate and its tide"]
pub fn close_gate(tide: f64, gate: &mut Gate) -> bool {
    if tide > 3.5 {
        gate.is_open = false;
    }
    gate.is_open
}
`,
};

describe('the line that decides', () => {
  after(closeModels);

  async function placeIn(name: string, question: string): Promise<LookupPlace | undefined> {
    const model = modelWith(FILES);
    const data = { purpose: 'children', question, folder: 'trees/a', lineage: [], maxChildren: 50 } as const;
    const lookup = lookupIn((await ask(model, data)).text);
    return lookup?.places.find(({ title }) => title.startsWith(`\`${name}\``));
  }

  it('compares with a number where one is asked for', async () => {
    const place = await placeIn('leave', 'How many minutes may a car be parked before it must pay to leave?');
    assert.equal(place?.code, "if (minutes > 42) throw new Error('pay first');");
  });

  it('is no part of a signature, nor a directive', async () => {
    const place = await placeIn('fitKennel', 'How is a dog fit into a kennel?');
    assert.equal(place?.code, 'return kennel.with(dog);');
  });

  it('is no attribute, though that has every word', async () => {
    const place = await placeIn('close_gate', 'When is the harbour gate closed by the tide?');
    assert.equal(place?.code, 'if tide > 3.5 {');
  });

  it('is in a function that its document quotes whole, from the signature to the end', async () => {
    const model = modelWith(FILES);
    const question = 'When is the harbour gate closed by the tide?';
    const children = await childrenOf(model, question, []);
    const lineage = below([], children).find(([topic]) => topic?.title.startsWith('`close_gate`')) ?? [];
    const text = await documentOf(model, question, lineage);
    assert.ok(text.includes(FILES['src/tide.rs'].split('\n').slice(8, 14).join('\n')), text);
  });

  it('is told apart from what only stands around its function', async () => {
    const model = mochaModel();
    const question = 'How are test timeouts enforced?';
    const [first = []] = below([], await childrenOf(model, question, []));
    const document = await documentOf(model, question, first);
    const [, name = ''] = /^`([^`]+)`/.exec(first[0]?.title ?? '') ?? [];
    const [, defined = '', around = ''] = document.split(/^## (?:Defined in|Around it)$/m);
    const owners = (text: string): string[] =>
      Array.from(text.matchAll(/^\[lib[^\n]*\) `([^`]+)`$/gm), ([, owner = '']) => owner);
    assert.deepEqual([...new Set(owners(defined))], [name]);
    assert.ok(owners(around.split('## ')[0] ?? '').length > 0 && !owners(around.split('## ')[0] ?? '').includes(name));
  });
});
