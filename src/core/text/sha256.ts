/** The fractional parts of the cube roots of the first 64 primes, in 32 bits each, and of the square roots of the first 8. */
const { K, H } = constants();

function constants(): { K: Uint32Array; H: Uint32Array } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (root: number): number => (root - Math.floor(root)) * 2 ** 32;
  const first = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  return { K: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))), H: Uint32Array.from(first) };
}

/**
 * The first 128 bits of the SHA-256 of a text as UTF-8, in hex: what the journal keeps of documents, for code that runs
 * without Node.
 */
export function sha256Of(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array((Math.floor((bytes.length + 8) / 64) + 1) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = Uint32Array.from(H);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) addBlock(state, words, view, at);
  return [...state.slice(0, 4)].map((word) => word.toString(16).padStart(8, '0')).join('');
}

function addBlock(state: Uint32Array, w: Uint32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const [x, y] = [w[i - 15] as number, w[i - 2] as number];
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    w[i] = (w[i - 16] as number) + s0 + (w[i - 7] as number) + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number)) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + value;
}

function turned(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by));
}
