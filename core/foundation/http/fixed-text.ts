import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { digest } from '../digest.js';

const COMPRESS = {
  gzip: promisify(gzip),
  // Higher qualities take seconds for a megabyte.
  br: (text: Buffer): Promise<Buffer> =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
} as const;
type Encoding = keyof typeof COMPRESS;

/** The encodings in the order of preference where a client prefers none. */
const ENCODINGS: readonly Encoding[] = ['gzip', 'br'];

/**
 * The encoding that a client prefers (RFC 9110, 12.5.3).
 * @param accepted the header Accept-Encoding
 * @returns undefined where it accepts none of `gzip` and `br`, or prefers to receive the text as it is
 */
export function preferredEncoding(accepted: string | undefined): Encoding | undefined {
  const weights = new Map(
    (accepted ?? '').split(',').map((one) => {
      const [name = '', ...parameters] = one
        .toLowerCase()
        .split(';')
        .map((part) => part.trim());
      const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
      return [name === 'x-gzip' ? 'gzip' : name, weight > 0 ? weight : 0] as const;
    }),
  );
  const others = weights.get('*') ?? 0;
  const weightOf = (encoding: string): number => weights.get(encoding) ?? others;
  const [best] = [...ENCODINGS].sort((a, b) => weightOf(b) - weightOf(a));
  const isBetter = weightOf(best!) > 0 && weightOf(best!) >= (weights.get('identity') ?? 0);
  return isBetter ? best : undefined;
}

/** A large text that many requests read: it is compressed once for each encoding, in the threads of zlib. */
export class FixedText {
  readonly etag: string;
  /** In UTF-8: responses that are being sent share it. */
  readonly bytes: Buffer;
  private readonly compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    this.etag = `"${digest(text)}"`;
  }

  /** @returns the text in the encoding, the same bytes for all requests */
  async encoded(encoding: Encoding): Promise<Buffer> {
    let bytes = this.compressed.get(encoding);
    if (!bytes) {
      bytes = COMPRESS[encoding](this.bytes);
      this.compressed.set(encoding, bytes);
    }
    return await bytes;
  }
}
