import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ProtocolError } from '../../../src/kinds/investigation/protocol/investigation.ts';
import type { ProfileName } from '../../../src/kinds/investigation/protocol/profiles.ts';
import type { StartArgs } from '../../../src/kinds/investigation/protocol/start.ts';
import type { PlayedCall } from './played.ts';

/** What a table says about the answer to the last of some calls. */
export interface VerdictCase {
  readonly name: string;
  readonly start?: Partial<StartArgs>;
  readonly person?: { readonly minRounds?: number; readonly requireAgents?: boolean };
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

/** Reads the table of a profile. */
export function verdictCases(profile: ProfileName): VerdictCase[] {
  const file = new URL(`../../fixtures/investigation/${profile}-verdicts.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as VerdictCase[];
}

/** Checks that the answer to the last call of a case is what the table says. */
export function checkVerdict(reply: Readonly<Record<string, unknown>>, expected: VerdictCase): void {
  const errors = (reply['errors'] ?? []) as ProtocolError[];
  for (const { message, suggestion } of errors) assert.ok(message.length > 5 && suggestion.length > 5);
  for (const [name, value] of Object.entries(expected.reply ?? {})) assert.deepEqual(reply[name], value, name);
  for (const name of expected.lacks ?? []) assert.ok(!(name in reply), name);
  const found = errors.map(({ nodeId, error }) => [nodeId, error]);
  if (expected.errors) assert.deepEqual(found, expected.errors);
  if ((expected.errors ?? expected.errorsInclude ?? []).length > 0) assert.equal(reply['status'], 'REJECTED');
  for (const error of expected.errorsInclude ?? []) assert.ok(found.some((each) => String(each) === String(error)));
  if (expected.warnings) assert.deepEqual(((reply['warnings'] ?? []) as string[]).map(rowOf), expected.warnings);
  const reason = String(reply['reason']);
  for (const word of expected.reason ?? []) assert.ok(reason.includes(word), reason);
  for (const word of expected.reasonNot ?? []) assert.ok(!reason.includes(word), reason);
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
