import { seededRandom } from '../support/virtual-clock.ts';

const WIDTH = 32;
const INNER = 64;
const ALIGNED = 32;
/** GGUF's numbers for types of values; those of its weights are 0, which is 32 bits each. */
const UINT32 = 4;
const INT32 = 5;
const FLOAT32 = 6;
const BOOL = 7;
const STRING = 8;
const ARRAY = 9;
const END = '<end>';

/**
 * Returns the weights of a model of one layer, made by chance, as the GGUF that llama.cpp reads: what it says are letters
 * in no order. Each byte of a text is a token.
 * @param contextTokens the longest that it takes
 */
export function randomWeights(contextTokens: number): Buffer {
  const bytes = Array.from({ length: 256 }, (_, byte) => characterOf(byte));
  // The words for two bytes at a time are there since a vocabulary without any is taken for a broken one.
  const tokens = [...bytes, `${characterOf(0x20)}t`, END];
  const end = tokens.length - 1;
  const values = [
    text('general.architecture', 'llama'),
    number('llama.context_length', UINT32, contextTokens),
    number('llama.embedding_length', UINT32, WIDTH),
    number('llama.block_count', UINT32, 1),
    number('llama.feed_forward_length', UINT32, INNER),
    number('llama.attention.head_count', UINT32, 2),
    number('llama.attention.layer_norm_rms_epsilon', FLOAT32, 1e-5),
    text('tokenizer.ggml.model', 'gpt2'),
    text('tokenizer.ggml.pre', 'gpt-2'),
    list('tokenizer.ggml.tokens', STRING, tokens.map(string)),
    list(
      'tokenizer.ggml.token_type',
      INT32,
      tokens.map((_, n) => int(n === end ? 3 : 1)),
    ),
    list('tokenizer.ggml.merges', STRING, [string(`${characterOf(0x20)} t`)]),
    number('tokenizer.ggml.bos_token_id', UINT32, end),
    number('tokenizer.ggml.eos_token_id', UINT32, end),
    value('tokenizer.ggml.add_bos_token', BOOL, Buffer.from([0])),
  ];
  const random = seededRandom(1);
  const some = (count: number, most: number): number[] =>
    Array.from({ length: count }, () => most * (2 * random.next() - 1));
  const square = ['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) => ({
    ...{ name: `blk.0.${name}.weight`, sizes: [WIDTH, WIDTH], numbers: some(WIDTH * WIDTH, 0.5) },
  }));
  const ones = ['output_norm', 'blk.0.attn_norm', 'blk.0.ffn_norm'].map((name) => ({
    ...{ name: `${name}.weight`, sizes: [WIDTH], numbers: Array.from({ length: WIDTH }, () => 1) },
  }));
  // Letters are likely, and bytes that are no text by themselves are not.
  const said = tokens.flatMap((_, n) => some(WIDTH, (n >= 0x20 && n < 0x7f) || n === end ? 0.8 : 0.01));
  const weights = [
    { name: 'token_embd.weight', sizes: [WIDTH, tokens.length], numbers: some(WIDTH * tokens.length, 1) },
    { name: 'output.weight', sizes: [WIDTH, tokens.length], numbers: said },
    { name: 'blk.0.ffn_gate.weight', sizes: [WIDTH, INNER], numbers: some(WIDTH * INNER, 0.5) },
    { name: 'blk.0.ffn_up.weight', sizes: [WIDTH, INNER], numbers: some(WIDTH * INNER, 0.5) },
    { name: 'blk.0.ffn_down.weight', sizes: [INNER, WIDTH], numbers: some(WIDTH * INNER, 0.5) },
    ...square,
    ...ones,
  ];
  let offset = 0;
  const told = weights.map(({ name, sizes, numbers }) => {
    const at = offset;
    offset += 4 * numbers.length;
    return Buffer.concat([string(name), int(sizes.length), ...sizes.map(long), int(0), long(at)]);
  });
  const head = [Buffer.from('GGUF'), int(3), long(weights.length), long(values.length), ...values, ...told];
  const length = head.reduce((sum, part) => sum + part.length, 0);
  const gap = Buffer.alloc((ALIGNED - (length % ALIGNED)) % ALIGNED);
  return Buffer.concat([...head, gap, ...weights.map(({ numbers }) => Buffer.from(Float32Array.from(numbers).buffer))]);
}

/** Returns the character that stands for a byte in such a vocabulary: itself, where it can be seen. */
function characterOf(byte: number): string {
  const isSeen = (each: number): boolean => (each > 0x20 && each < 0x7f) || (each > 0xa0 && each !== 0xad);
  if (isSeen(byte)) return String.fromCodePoint(byte);
  return String.fromCodePoint(
    256 + Array.from({ length: byte }, (_, each) => each).filter((each) => !isSeen(each)).length,
  );
}

function int(of: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32LE(of);
  return buffer;
}

function long(of: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(of));
  return buffer;
}

function string(of: string): Buffer {
  const bytes = Buffer.from(of);
  return Buffer.concat([long(bytes.length), bytes]);
}

function value(key: string, type: number, bytes: Buffer): Buffer {
  return Buffer.concat([string(key), int(type), bytes]);
}

function text(key: string, of: string): Buffer {
  return value(key, STRING, string(of));
}

function number(key: string, type: number, of: number): Buffer {
  return value(key, type, type === FLOAT32 ? Buffer.from(Float32Array.of(of).buffer) : int(of));
}

function list(key: string, type: number, items: readonly Buffer[]): Buffer {
  return value(key, ARRAY, Buffer.concat([int(type), long(items.length), ...items]));
}
