import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ActionRequest } from '../../core/actions/action-request.ts';

/**
 * Shows that a request was made by somebody who knows a user's key: over everything in it, so that it fits no other request
 * and no other lease.
 */
export function proofOf(request: ActionRequest, key: string): string {
  const { id, by, time, lease, action } = request;
  return createHmac('sha256', key)
    .update(JSON.stringify([id, by, time, lease, sorted(action)]))
    .digest('hex');
}

export function isProven(request: ActionRequest, key: string): boolean {
  const wanted = Buffer.from(proofOf(request, key));
  const given = Buffer.from(request.proof ?? '');
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** Returns a value with its fields in one order, however it was parsed. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, each]) => [name, sorted(each)]);
}
