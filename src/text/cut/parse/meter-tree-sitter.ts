import { meterWasm } from './meter-wasm.ts';

/**
 * Its stack is from 78240 down to 12704. People's code used 2000 bytes of it, and a text that uses up more than half is
 * made to; what is left is for functions that do not call themselves.
 */
const LOWEST = 40_000;

/** Tree-sitter's WebAssembly, metered. */
export function meterTreeSitter(wasm: Uint8Array): Uint8Array {
  return meterWasm(wasm, LOWEST);
}
