/** An instruction of WebAssembly, as far as it is looked at. */
interface Instruction {
  readonly code: number;
  /** The first number behind the code, as if it had no sign; 0 if there is none. */
  readonly operand: number;
}

const [BR_TABLE, F32_CONST, F64_CONST, EXTENDED] = [0x0e, 0x43, 0x44, 0xfc];

/** How many numbers are behind a code, one of which may stand for a type. */
const OPERANDS: number[] = [];
for (const [first, last, numbers] of [
  [0x00, 0x01, 0], // unreachable, nop
  [0x02, 0x04, 1], // block, loop, if
  [0x05, 0x05, 0], // else
  [0x0b, 0x0b, 0], // end
  [0x0c, 0x0d, 1], // br, br_if
  [0x0f, 0x0f, 0], // return
  [0x10, 0x10, 1], // call
  [0x11, 0x11, 2], // call_indirect
  [0x1a, 0x1b, 0], // drop, select
  [0x20, 0x26, 1], // variables, tables
  [0x28, 0x3e, 2], // load, store
  [0x3f, 0x42, 1], // memory.size, memory.grow, i32.const, i64.const
  [0x45, 0xc4, 0], // numeric
] as const)
  for (let code = first; code <= last; code++) OPERANDS[code] = numbers;
/** The same of those behind `EXTENDED`: saturating conversions, and whole memories and tables. */
const EXTENDED_OPERANDS = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];

/** Reads WebAssembly's binary format, as far as it takes to tell instructions apart. */
export class WasmReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError('WebAssembly ends too early');
    return byte;
  }

  /** The lowest 32 bits of a number (LEB128), which is read over whatever its size. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  text(): string {
    const length = this.number();
    this.skip(length);
    return Buffer.from(this.bytes.subarray(this.at - length, this.at)).toString();
  }

  skip(bytes: number): void {
    this.at += bytes;
  }

  skipNumbers(count: number): void {
    for (let left = count; left > 0; left--) this.number();
  }

  /** Skips how large a table or a memory is at least, and at most if that is said. */
  skipLimits(): void {
    this.skipNumbers((this.byte() & 1) === 0 ? 1 : 2);
  }

  /** Reads over an instruction. @throws if it is of an extension that is not known here */
  instruction(): Instruction {
    const code = this.byte();
    let operand = 0;
    if (code === F32_CONST) this.skip(4);
    else if (code === F64_CONST) this.skip(8);
    else if (code === BR_TABLE) this.skipNumbers(this.number() + 1);
    else {
      const numbers = code === EXTENDED ? EXTENDED_OPERANDS[this.number()] : OPERANDS[code];
      if (numbers === undefined) throw new Error(`an instruction that is not known: ${code}`);
      if (numbers > 0) operand = this.number();
      this.skipNumbers(numbers - 1);
    }
    return { code, operand };
  }
}
