import assert from 'node:assert/strict';
import { asksForValue, constantIn } from '../../../../src/text/rank/asked-for.ts';

describe('the form of a line', () => {
  it('tells the name that is given a number, as languages write it', () => {
    const lines: Record<string, string> = {
      'const retries = 30;': 'retries',
      'pub(crate) const LIMIT: usize = 8 * 1024;': 'LIMIT',
      '#define LIMIT 512': 'LIMIT',
      '\tfailureWait = 10 * time.Millisecond': 'failureWait',
      '  timeout: 30_000,': 'timeout',
      '    size: int = 1 << 20': 'size',
      '    self.limit = 5': 'limit',
      'let wait = Duration::from_secs(5);': 'wait',
    };
    for (const [line, name] of Object.entries(lines)) assert.equal(constantIn(line), name, line);
  });

  it('tells no name where something is compared, counted up, begun, or is no number', () => {
    const lines = [
      'if (size === 5)',
      'size >= 10',
      'size += 5',
      'size = 0',
      'return 5',
      'start := time.Now()',
      'default:',
    ];
    for (const line of lines) assert.equal(constantIn(line), undefined, line);
  });

  it('tells a question for a value from others', () => {
    assert.ok(asksForValue('What is the longest pause between two tries?'));
    assert.ok(asksForValue('How many bytes does it read by default?'));
    assert.ok(!asksForValue('Who closes the connection?'));
  });
});
