/** Whether a database asks for a password, or for another one; the driver has no code for one that is missing. */
export function isLoginRefused(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const { code } = cause as { code?: unknown };
  return code === '28P01' || code === '28000' || cause.message.includes('client password must be a');
}

/** What an error of a connection says; where a host has several addresses, the reasons of all attempts. */
export function whyOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(whyOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}

/** Whether the role may not do what was asked. */
export function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501';
}
