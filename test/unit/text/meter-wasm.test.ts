import assert from 'node:assert/strict';
import { METER, meterWasm } from '../../../src/text/cut/parse/meter-wasm.ts';

/** What is used of it here: its types are those of browsers. */
interface Engine {
  readonly Memory: new (limits: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Global: new (type: { value: 'i32'; mutable: true }, value: number) => { value: number };
  readonly RuntimeError: ErrorConstructor;
  instantiate(wasm: Uint8Array, imports: object): Promise<{ instance: { exports: object } }>;
}
const { Memory, Global, RuntimeError, instantiate } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;

const LOWEST = 4000;
const text = (value: string): number[] => [value.length, ...Buffer.from(value)];
const section = (id: number, ...bytes: number[]): number[] => [id, bytes.length, ...bytes];
const body = (...bytes: number[]): number[] => [bytes.length, ...bytes];

/** `do count--; while (count)`, and a function that takes 16 bytes of the stack and calls itself. */
const TURNS = body(0, 0x03, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x0b);
const DEEPER = body(0, 0x23, 0, 0x41, 16, 0x6b, 0x24, 0, 0x10, 1, 0x0b);

function wasmOf(...bodies: readonly number[][]): Uint8Array {
  const [memory, stack] = [
    [...text('env'), ...text('memory'), 2, 0, 1],
    [...text('env'), ...text('__stack_pointer'), 3, 0x7f, 1],
  ];
  return Uint8Array.from([
    ...[0, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(1, 2, 0x60, 1, 0x7f, 0, 0x60, 0, 0),
    ...section(2, 2, ...memory, ...stack),
    ...section(3, 2, 0, 1),
    ...section(7, 2, ...text('turns'), 0, 0, ...text('deeper'), 0, 1),
    ...section(10, 2, ...bodies.flat()),
  ]);
}

describe('a metered WebAssembly module', () => {
  const memory = new Memory({ initial: 1 });
  const meter = new DataView(memory.buffer);
  const stack = new Global({ value: 'i32', mutable: true }, 0);
  let exports: Record<'turns' | 'deeper', (count?: number) => void>;
  beforeEach(async () => {
    const wasm = meterWasm(wasmOf(TURNS, DEEPER), LOWEST);
    const { instance } = await instantiate(wasm, { env: { memory, __stack_pointer: stack } });
    exports = instance.exports as typeof exports;
  });

  it('counts calls and turns of loops down, and stops at 0', () => {
    meter.setUint32(METER, 1000, true);
    exports.turns(100);
    assert.equal(meter.getUint32(METER, true), 1000 - 101);
    assert.throws(() => exports.turns(1_000_000), RuntimeError);
    assert.equal(meter.getUint32(METER, true), 0);
  });

  it('stops where its stack is used up, as if no work were left', () => {
    meter.setUint32(METER, 1_000_000, true);
    stack.value = 2 * LOWEST;
    assert.throws(() => exports.deeper(), RuntimeError);
    assert.equal(stack.value, LOWEST - 16);
    assert.equal(meter.getUint32(METER, true), 0);
  });

  it('is not made of what is not known', () => {
    assert.throws(() => meterWasm(wasmOf(TURNS, body(0, 0xfd, 0, 0x0b)), LOWEST), /not known/);
    assert.throws(() => meterWasm(wasmOf(TURNS, DEEPER).subarray(0, -3), LOWEST), RangeError);
  });
});
