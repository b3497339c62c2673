import { hostname } from 'node:os';
import { thisProcess } from '../../store/lease/process-identity.ts';

/** This computer, as long as it runs; where the system does not say that exactly, by its name. */
export function ownHost(): string {
  const { bootId } = thisProcess();
  // A rounded time shifts when the clock is set.
  return JSON.stringify([hostname(), bootId.startsWith('~') ? '' : bootId]);
}
