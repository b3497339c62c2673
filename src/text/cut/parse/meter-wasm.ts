import { WasmReader } from './wasm-reader.ts';

/** Where a metered module counts down, in its memory: what Emscripten makes leaves the first 1024 bytes empty. */
export const METER = 16;

const MAGIC_AND_VERSION = 8;
const [IMPORT, CODE] = [2, 10];
const [OF_FUNCTION, OF_TABLE, OF_MEMORY, OF_GLOBAL] = [0, 1, 2, 3];
const [LOOP, CALL] = [0x03, 0x10];
/** `meter = meter - 1; if (meter === 0) trap` */
const TICK = [
  ...[0x41, 0, 0x41, 0, 0x28, 2, METER, 0x41, 1, 0x6b, 0x36, 2, METER],
  ...[0x41, 0, 0x28, 2, METER, 0x45, 0x04, 0x40, 0x00, 0x0b],
];

interface Imports {
  readonly functions: number;
  /** The number of the global that is the stack pointer. */
  readonly stackPointer: number;
}

/**
 * A WebAssembly module that counts its own work: at each call of one of its functions and each turn of a loop it counts down
 * in its memory, at `METER`, and traps when it comes to 0. A function that calls itself traps as well, with the meter at 0,
 * where the stack is used up: it grows downwards, without a guard, into other data.
 * @param wasm made by Emscripten for dynamic linking: it imports its stack pointer
 * @param lowest the address to which functions that call themselves may use the stack
 * @throws if there is something in it that is not known here
 */
export function meterWasm(wasm: Uint8Array, lowest: number): Uint8Array {
  const reader = new WasmReader(wasm, MAGIC_AND_VERSION);
  const parts = [wasm.subarray(0, MAGIC_AND_VERSION)];
  let imports: Imports = { functions: 0, stackPointer: 0 };
  while (!reader.isAtEnd) {
    const start = reader.at;
    const id = reader.byte();
    const end = reader.number() + reader.at;
    if (id === IMPORT) imports = readImports(reader);
    if (id === CODE) parts.push(...sized([id], meterFunctions(reader, imports, lowest)));
    else parts.push(wasm.subarray(start, end));
    reader.at = end;
  }
  return Buffer.concat(parts);
}

function readImports(reader: WasmReader): Imports {
  const counts = [0, 0, 0, 0];
  let stackPointer: number | undefined;
  for (let left = reader.number(); left > 0; left--) {
    reader.text();
    const name = reader.text();
    const kind = reader.byte();
    if (kind === OF_GLOBAL && name === '__stack_pointer') stackPointer = counts[OF_GLOBAL];
    if (kind === OF_FUNCTION) reader.skipNumbers(1);
    if (kind === OF_TABLE) reader.skip(1);
    if (kind === OF_TABLE || kind === OF_MEMORY) reader.skipLimits();
    if (kind === OF_GLOBAL) reader.skip(2);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  if (stackPointer === undefined) throw new Error('no stack pointer is imported');
  return { functions: counts[OF_FUNCTION] ?? 0, stackPointer };
}

function meterFunctions(reader: WasmReader, imports: Imports, lowest: number): Uint8Array[] {
  const count = reader.number();
  const parts: Uint8Array[] = [Uint8Array.from(leb128(count))];
  const guard = guardOf(imports.stackPointer, lowest);
  for (let number = imports.functions; number < imports.functions + count; number++)
    parts.push(...sized([], meterFunction(reader, number, guard)));
  return parts;
}

/** `if (stackPointer < lowest) { meter = 0; trap }` */
function guardOf(stackPointer: number, lowest: number): number[] {
  const isBelow = [0x23, ...leb128(stackPointer), 0x41, ...leb128(lowest, 0x40), 0x49];
  return [...isBelow, 0x04, 0x40, 0x41, 0, 0x41, 0, 0x36, 2, METER, 0x00, 0x0b];
}

function meterFunction(reader: WasmReader, number: number, guard: readonly number[]): Uint8Array[] {
  const { bytes, at: start } = reader;
  const end = reader.number() + reader.at;
  const locals = reader.at;
  for (let left = reader.number(); left > 0; left--) reader.skipNumbers(2);
  const head = bytes.subarray(locals, reader.at);
  const parts: Uint8Array[] = [];
  let copied = reader.at;
  let callsItself = false;
  while (reader.at < end) {
    const { code, operand } = reader.instruction();
    if (code === CALL && operand === number) callsItself = true;
    if (code !== LOOP) continue;
    parts.push(bytes.subarray(copied, reader.at), Uint8Array.from(TICK));
    copied = reader.at;
  }
  if (reader.at !== end) throw new Error(`a function at ${start} has another end`);
  return [head, Uint8Array.from(callsItself ? [...TICK, ...guard] : TICK), ...parts, bytes.subarray(copied, end)];
}

/** Parts after a head and their length. */
function sized(head: readonly number[], parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [Uint8Array.from([...head, ...leb128(length)]), ...parts];
}

/** A number of 0 or more. @param tooLarge for the last byte: 0x40 where the number is one that may have a sign */
function leb128(value: number, tooLarge = 0x80): number[] {
  return value < tooLarge ? [value] : [(value & 0x7f) | 0x80, ...leb128(value >>> 7, tooLarge)];
}
