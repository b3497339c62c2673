import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import * as say from '../messages.ts';

/** As the system's TLS names certificates that nobody it knows vouches for. */
const UNKNOWN_AUTHORITY: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/** PostgreSQL's own: a role may not do what it wants to. */
const NOT_ALLOWED = '42501';

/**
 * Why a queue could not be opened, and what to do.
 * @param address without its password
 */
export function openingError(cause: unknown, address: string): ThoughtTreeError {
  const details = { cause, charged: false };
  if (isLoginRefused(cause)) return new ThoughtTreeError('key-refused', say.loginRefused({ address }), details);
  const why = oneLine(whyOf(cause), 300);
  const code = codeOf(cause);
  const message = isForbidden(cause)
    ? say.roleMayNot({ address, why })
    : UNKNOWN_AUTHORITY.has(code)
      ? say.unknownAuthority({ address, why })
      : say.noQueue({ address, why });
  return new ThoughtTreeError('unreachable', message, details);
}

/** Tells whether a database asks for a password, or for another one; the driver has no code for one that is missing. */
function isLoginRefused(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const code = codeOf(cause);
  return code === '28P01' || code === '28000' || cause.message.includes('client password must be a');
}

/** Quotes what an error of a connection says; where a host has several addresses, the reasons of all attempts. */
function whyOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(whyOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}

/** Tells whether the role may not do what was asked. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === NOT_ALLOWED;
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error ? (cause as { code?: unknown }).code : undefined;
}
