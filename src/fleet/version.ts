import packageJson from '../../package.json' with { type: 'json' };
import { PROTOCOL } from './protocol.ts';
import type { FleetVersion } from './rules.ts';

/** Of this program. */
export const VERSION: FleetVersion = { protocol: PROTOCOL, program: packageJson.version };
