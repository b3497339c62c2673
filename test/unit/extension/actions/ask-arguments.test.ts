import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { InputBoxOptions } from 'vscode';
import { ACTIONS, OFFER_ACTIONS } from '../../../../src/core/actions/actions.ts';
import { errandsDescriptor } from '../../../support/toy-kind/errands-descriptor.ts';
import { fake } from '../fake-vscode.ts';

const { askArguments } = await import('../../../../src/extension/actions/action-commands.ts');

describe('what an action is told in the editor', () => {
  beforeEach(() => fake.reset());

  it('is data where it takes data, and what cannot be read is said while it is typed', async () => {
    const answers = [{ offer: 'a1', result: { done: 'Yes.' } }];
    let asked: InputBoxOptions | undefined;
    fake.answer = (options) => {
      asked = options as InputBoxOptions;
      return ` ${JSON.stringify(answers)} `;
    };
    const args = await askArguments(OFFER_ACTIONS.answer, '', errandsDescriptor.words);
    assert.deepEqual(args, { answers });
    assert.equal(asked?.validateInput?.('[]'), undefined);
    assert.match(String(asked?.validateInput?.('[{')), /given JSON is invalid/);
  });

  it('names what a note is for', async () => {
    let asked: InputBoxOptions | undefined;
    fake.answer = (options) => {
      asked = options as InputBoxOptions;
      return 'Look at the tests.';
    };
    await askArguments(ACTIONS.note, 'How `retry` works', errandsDescriptor.words);
    assert.equal(asked?.title, 'Note to "How retry works"');
  });

  it('is a text otherwise, and nothing where the person says nothing', async () => {
    fake.answer = () => ' a1 ';
    assert.deepEqual(await askArguments(OFFER_ACTIONS.take, '', errandsDescriptor.words), { offer: 'a1' });
    fake.answer = () => undefined;
    assert.equal(await askArguments(OFFER_ACTIONS.take, '', errandsDescriptor.words), undefined);
  });
});
