import assert from 'node:assert/strict';
import { conceptsOf } from '../../../src/text/words/concept.ts';
import { splitWords } from '../../../src/text/words/split-words.ts';
import { stem, termsOf } from '../../../src/text/words/terms.ts';

describe('words', () => {
  it('are the parts of identifiers', () => {
    const split: Record<string, string[]> = {
      timeoutError: ['timeout', 'error'],
      max_retry_count: ['max', 'retry', 'count'],
      'source-maps': ['source', 'maps'],
      XMLHttpRequest: ['xml', 'http', 'request'],
      utf8Decoder: ['utf8', 'decoder'],
      getIPv4Addr: ['get', 'ipv4', 'addr'],
      HTTP2Server: ['http2', 'server'],
      parseURLs: ['parse', 'urls'],
      fromJavaScript: ['from', 'javascript'],
      OAuth2Token: ['oauth2', 'token'],
      'HTTP/2': ['http2'],
      SCREAMING_CASE: ['screaming', 'case'],
      größeÄndern: ['größe', 'ändern'],
    };
    for (const [identifier, words] of Object.entries(split)) assert.deepEqual(splitWords(identifier), words);
  });

  it('of scripts without spaces are cut', () => {
    const words = splitWords('测试超时如何执行');
    for (const word of ['测试', '超时', '如何', '执行']) assert.ok(words.includes(word), `${words}`);
    assert.ok(splitWords('タイムアウトの処理').length > 1);
    assert.ok(splitWords('ทดสอบหมดเวลา').length > 1);
  });

  it('match by their stem', () => {
    const groups = [
      ['enforce', 'enforced', 'enforces', 'enforcing'],
      ['timeout', 'timeouts'],
      ['retry', 'retries', 'retried', 'retrying'],
      ['run', 'runs', 'running'],
      ['stop', 'stopped', 'stops'],
      ['execute', 'execution', 'executed'],
      ['inherit', 'inherits', 'inheritance', 'inherited'],
      ['class', 'classes'],
      ['match', 'matches', 'matched'],
      ['cancel', 'cancelled', 'canceled'],
    ];
    for (const group of groups) assert.equal(new Set(group.map(stem)).size, 1, `${group}: ${group.map(stem)}`);
    assert.notEqual(stem('report'), stem('reporter'));
    assert.equal(stem('this'), 'this');
    assert.equal(stem('process'), stem('processes'));
  });

  it('without meaning are dropped', () => {
    assert.deepEqual(termsOf('How does it happen that the tests are run?'), ['test', 'run']);
    assert.deepEqual(termsOf('What is this and why?'), []);
  });

  it('of a question count once each, with other words for them', () => {
    const [error, directory] = conceptsOf('errors, Error and directories');
    assert.equal(error?.word, 'errors');
    assert.ok(error?.synonyms.includes(stem('exception')));
    assert.equal(directory?.word, 'directories');
    assert.equal(conceptsOf('word '.repeat(1000)).length, 1);
  });
});
