import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { PROFILES } from '../../../../src/kinds/investigation/protocol/profiles.ts';
import type { Reply } from '../../../../src/kinds/investigation/protocol/replies.ts';
import type { StartArgs } from '../../../../src/kinds/investigation/protocol/start.ts';
import { type ProtocolError, ProtocolFault } from '../../../../src/kinds/investigation/protocol/verdict.ts';
import { Played, type PlayedCall } from '../../../support/investigation/played.ts';

/** What a table says about the answer to the last of some calls. */
interface Case {
  readonly name: string;
  readonly start?: Partial<StartArgs>;
  readonly person?: object;
  readonly calls: readonly PlayedCall[];
  /** Fields of the answer, at least. */
  readonly reply?: Readonly<Record<string, unknown>>;
  /** Fields that it does not have. */
  readonly lacks?: readonly string[];
  /** All errors in order, each with its node; or some of them. */
  readonly errors?: readonly (readonly [nodeId: string, code: string])[];
  readonly errorsInclude?: readonly (readonly [nodeId: string, code: string])[];
  /** All warnings in order, each with the first id in it. */
  readonly warnings?: readonly (readonly [code: string, nodeId: string | null])[];
  /** Words in the reason for which an end is refused, and words that are not. */
  readonly reason?: readonly string[];
  readonly reasonNot?: readonly string[];
  readonly endBlocker?: readonly string[];
  /** The ids of nodes that the answer lists. */
  readonly ids?: Readonly<Record<string, readonly string[]>>;
  /** The original itself fails. */
  readonly fault?: true;
}

for (const profile of PROFILES)
  describe(`the verdicts of ${profile}`, () => {
    const file = new URL(`../../../fixtures/investigation/${profile}-verdicts.json`, import.meta.url);
    const cases = JSON.parse(readFileSync(file, 'utf8')) as Case[];
    for (const each of cases) it(each.name, () => check(new Played(profile, each.start, each.person), each));
  });

function check(played: Played, { calls, fault, ...expected }: Case): void {
  for (const call of calls.slice(0, -1)) played.play(call);
  const last = calls.at(-1) as PlayedCall;
  const before = played.at;
  if (fault) {
    assert.throws(() => played.play(last), ProtocolFault);
    assert.equal(played.at, before);
    return;
  }
  const reply = played.play(last);
  const errors = (reply['errors'] ?? []) as ProtocolError[];
  if (reply['status'] === 'REJECTED') assert.equal(played.at, before, 'what is refused changes nothing');
  for (const { message, suggestion } of errors) assert.ok(message.length > 5 && suggestion.length > 5);
  checkReply(reply, errors, expected);
}

function checkReply(reply: Reply, errors: readonly ProtocolError[], expected: Omit<Case, 'calls'>): void {
  for (const [name, value] of Object.entries(expected.reply ?? {})) assert.deepEqual(reply[name], value, name);
  for (const name of expected.lacks ?? []) assert.ok(!(name in reply), name);
  const found = errors.map(({ nodeId, error }) => [nodeId, error]);
  if (expected.errors) assert.deepEqual(found, expected.errors);
  if ((expected.errors ?? expected.errorsInclude ?? []).length > 0) assert.equal(reply['status'], 'REJECTED');
  for (const error of expected.errorsInclude ?? []) assert.ok(found.some((each) => String(each) === String(error)));
  if (expected.warnings) assert.deepEqual(((reply['warnings'] ?? []) as string[]).map(rowOf), expected.warnings);
  for (const word of expected.reason ?? []) assert.ok(String(reply['reason']).includes(word), String(reply['reason']));
  for (const word of expected.reasonNot ?? [])
    assert.ok(!String(reply['reason']).includes(word), String(reply['reason']));
  for (const word of expected.endBlocker ?? []) assert.ok(String(reply['endBlocker']).includes(word));
  for (const [name, ids] of Object.entries(expected.ids ?? {}))
    assert.deepEqual(
      (reply[name] as { nodeId: string }[]).map(({ nodeId }) => nodeId),
      ids,
      name,
    );
}

function rowOf(warning: string): [string | undefined, string | null] {
  const code = /\b[A-Z0-9]+_[A-Z_]+\b|\bSUSPICIOUS\b/.exec(warning)?.[0];
  return [code, /R\d+\.[A-Za-z0-9]+/.exec(warning)?.[0] ?? null];
}
