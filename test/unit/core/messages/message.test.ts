import assert from 'node:assert/strict';
import {
  counted,
  foreign,
  kept,
  type Message,
  mapTexts,
  message,
  messageOf,
  noted,
  textOf,
} from '../../../../src/core/messages/message.ts';
import { Said } from '../../../../src/core/messages/said.ts';

const skipped = message('test.skipped', 'Skipped "{title}": {why}');
const nothing = message('test.nothing', 'Nothing is left.');
const calls = counted('test.calls', '1 call', '{count:number} calls');
const limit = message('test.limit', 'The limit of {usd:usd} is reached after {calls}.');

const german = {
  language: 'de',
  texts: {
    'test.skipped': '„{title}“ übersprungen: {why}',
    'test.nothing': 'Nichts ist übrig.',
    'test.calls.one': 'ein Aufruf',
    'test.calls.other': '{count:number} Aufrufe',
  },
};

describe('a message', () => {
  it('consists of its key, its arguments, and its English text', () => {
    assert.deepEqual(skipped({ title: 'Costs', why: nothing() }), {
      key: 'test.skipped',
      args: { title: 'Costs', why: { key: 'test.nothing', args: {}, text: 'Nothing is left.' } },
      text: 'Skipped "Costs": Nothing is left.',
    });
  });

  it('demands the arguments that its text names, and no others', () => {
    // @ts-expect-error: the title is missing
    assert.equal(skipped({ why: 'x' }).text, 'test.skipped');
    // @ts-expect-error: there is no such place
    skipped({ title: 'x', why: 'y', what: 'z' });
    // @ts-expect-error: money is a number
    limit({ usd: '5', calls: calls({ count: 1 }) });
  });

  it('counts in words that fit the number, and shows numbers as its language does', () => {
    assert.equal(calls({ count: 1 }).text, '1 call');
    assert.equal(calls({ count: 0 }).text, '0 calls');
    assert.equal(calls({ count: 20_000 }).text, '20,000 calls');
    assert.equal(textOf(calls({ count: 20_000 }), german), '20.000 Aufrufe');
    assert.equal(textOf(calls({ count: 1 }), german), 'ein Aufruf');
    const russian = {
      language: 'ru',
      texts: { 'test.calls.few': '{count} вызова', 'test.calls.many': '{count} вызовов' },
    };
    assert.equal(textOf(calls({ count: 3 }), russian), '3 вызова');
    assert.equal(textOf(calls({ count: 5 }), russian), '5 вызовов');
    assert.equal(
      limit({ usd: 0.05, calls: calls({ count: 2 }) }).text,
      'The limit of $0.0500 is reached after 2 calls.',
    );
  });

  it('is translated with the messages in it, and stays English where a language lacks its text', () => {
    assert.equal(
      textOf(skipped({ title: 'Costs', why: nothing() }), german),
      '„Costs“ übersprungen: Nichts ist übrig.',
    );
    assert.equal(
      textOf(limit({ usd: 5, calls: calls({ count: 1 }) }), german),
      'The limit of $5.00 is reached after 1 call.',
    );
    assert.equal(textOf(skipped({ title: 'a', why: 'b' })), 'Skipped "a": b');
  });

  it('never mistakes an argument for a placeholder, or an inherited name for an argument', () => {
    assert.equal(skipped({ title: '{why}', why: '$& {title}' }).text, 'Skipped "{why}": $& {title}');
    const strange: Message = { key: 'constructor', args: {}, text: 'as it was' };
    assert.equal(textOf(strange, german), 'as it was');
    const lacking: Message = { key: 'test.skipped', args: { title: 'x' }, text: 'as it was' };
    assert.equal(textOf(lacking, german), 'as it was');
  });

  it('is mapped as a whole, including its arguments', () => {
    const said = skipped({ title: 'secret', why: foreign({ text: 'a secret' }) });
    const hidden = mapTexts(said, (text) => text.replaceAll('secret', '[key]'));
    assert.equal(JSON.stringify(hidden).includes('secret'), false);
    assert.equal(hidden.text, 'Skipped "[key]": a [key]');
  });

  it('is kept on disk next to its English text, and anything else there counts as missing', () => {
    const { message: text, say } = kept(skipped({ title: 'Costs', why: nothing() }));
    assert.equal(text, 'Skipped "Costs": Nothing is left.');
    assert.deepEqual(Said.parse(JSON.parse(JSON.stringify(say))), say);
    assert.deepEqual(messageOf(text, say), skipped({ title: 'Costs', why: nothing() }));
    assert.deepEqual(noted(nothing()), { text: 'Nothing is left.', say: { key: 'test.nothing', args: {} } });
    assert.equal(textOf(messageOf('As somebody put it.', undefined), german), 'As somebody put it.');
    let deep: unknown = 'x';
    for (let i = 0; i < 2000; i++) deep = { key: 'k', args: { a: deep }, text: 't' };
    for (const damaged of [3, 'x', null, {}, { key: 'x', args: [] }, { key: 'x', args: { a: {} } }, deep])
      assert.equal(Said.parse(damaged), undefined);
  });
});
