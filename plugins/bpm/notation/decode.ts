/** From the bytes of an XML file to its text, by byte order mark and XML declaration (XML 1.0, section 4.3.3). */

/** The text of a file, or why it cannot be read. */
export type Decoded = { ok: true; text: string; encoding: string } | { ok: false; message: string };

/** A declaration is at the very beginning and is not longer than this. */
const DECLARATION_BYTES = 1_024;
const DECLARED = /^<\?xml\s[^>]*?\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/;

/** Beginnings that tell the encoding without a declaration; longer ones come first. `undefined`: not supported. */
const BEGINNINGS: readonly { bytes: readonly number[]; encoding: string | undefined; name: string }[] = [
  { bytes: [0x00, 0x00, 0xfe, 0xff], encoding: undefined, name: 'UTF-32' },
  { bytes: [0xff, 0xfe, 0x00, 0x00], encoding: undefined, name: 'UTF-32' },
  { bytes: [0x00, 0x00, 0x00, 0x3c], encoding: undefined, name: 'UTF-32' },
  { bytes: [0x3c, 0x00, 0x00, 0x00], encoding: undefined, name: 'UTF-32' },
  { bytes: [0x4c, 0x6f, 0xa7, 0x94], encoding: undefined, name: 'EBCDIC' },
  { bytes: [0x2b, 0x2f, 0x76], encoding: undefined, name: 'UTF-7' },
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8', name: 'UTF-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le', name: 'UTF-16' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be', name: 'UTF-16' },
  { bytes: [0x3c, 0x00], encoding: 'utf-16le', name: 'UTF-16' },
  { bytes: [0x00, 0x3c], encoding: 'utf-16be', name: 'UTF-16' },
];

/** The characters of the bytes 0x80 to 0x9F in windows-1252; unassigned bytes keep their number. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const refused = (message: string): Decoded => ({ ok: false, message });

/**
 * The text of an XML file without its byte order mark. Nothing is replaced: bytes that the encoding does not know make
 * the file unreadable. The declared name must agree with the byte order mark, since other programs that read the file go
 * by one or the other.
 */
export function decodeXml(bytes: Uint8Array): Decoded {
  const beginning = BEGINNINGS.find(({ bytes: first }) => first.every((byte, i) => bytes[i] === byte));
  if (beginning && !beginning.encoding)
    return refused(`The file is encoded in ${beginning.name}, which is not supported; use UTF-8.`);
  if (beginning?.encoding) return withKnown(bytes, beginning.encoding, beginning.name);
  const label = declaredIn(latin1(bytes.subarray(0, DECLARATION_BYTES))) ?? 'utf-8';
  if (/^(utf-?16|ucs-?2|iso-10646-ucs|utf-?32)/.test(label))
    return refused(`The file declares the encoding ${label}, but its bytes are not in this encoding.`);
  return decodeAs(bytes, label);
}

/** Bytes whose encoding is known by their beginning. */
function withKnown(bytes: Uint8Array, encoding: string, name: string): Decoded {
  const decoded = decodeAs(bytes, encoding);
  if (!decoded.ok) return decoded;
  const label = declaredIn(decoded.text.slice(0, DECLARATION_BYTES));
  const agrees = !label || label === encoding || label.replace('-', '') === encoding.replace(/-|[lb]e$/g, '');
  return agrees ? decoded : refused(`The file declares the encoding ${label}, but it begins as ${name}.`);
}

/** The encoding that a text declares, in small letters. */
function declaredIn(text: string): string | undefined {
  const [, quoted, single] = DECLARED.exec(text) ?? [];
  return (quoted ?? single)?.trim().toLowerCase().slice(0, 40);
}

function decodeAs(bytes: Uint8Array, label: string): Decoded {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(label, { fatal: true });
  } catch {
    return refused(`The encoding ${JSON.stringify(label)} is not supported; use UTF-8.`);
  }
  const { encoding } = decoder;
  // The standard of encodings reads US-ASCII and ISO-8859-1 as windows-1252.
  if (encoding === 'windows-1252') return windows1252(bytes, label);
  try {
    return { ok: true, text: decoder.decode(bytes), encoding };
  } catch {
    return refused(`The file contains bytes that are not valid in its encoding, ${encoding}.`);
  }
}

/** Decoded here since some versions of Node.js read windows-1252 as ISO-8859-1. */
function windows1252(bytes: Uint8Array, label: string): Decoded {
  const raw = latin1(bytes);
  const isHigh = /[\u0080-\u009f]/g;
  const text = inPieces(raw, (piece) => piece.replaceAll(isHigh, (high) => WINDOWS_1252[high.charCodeAt(0) - 0x80]!));
  if (/ascii|x3\.4/.test(label) && /[^\u0000-\u007f]/.test(text))
    return refused(`The file contains bytes that are not valid in its encoding, ${label}.`);
  return { ok: true, text, encoding: 'windows-1252' };
}

/** Characters that are replaced at once: a single call for millions of them needs more memory than the worker may have. */
const PIECE = 65_536;

/**
 * A text with replacements, made piece by piece.
 * @param change gets pieces that end behind a line break where there is one at the end
 */
function inPieces(text: string, change: (piece: string) => string): string {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const isCut = text[from + PIECE - 1] === '\r' && text[from + PIECE] === '\n';
    const to = from + PIECE + (isCut ? 1 : 0);
    pieces.push(change(text.slice(from, to)));
    from = to;
  }
  return pieces.join('');
}

/** A text with the line breaks of XML 1.0, section 2.11. Parsers do the same, but slowly where there are millions. */
export function withPlainBreaks(text: string): string {
  if (!text.includes('\r')) return text;
  // Joined, since a replacement makes a chain of as many strings as there are matches, which needs 32 bytes for each.
  return inPieces(text, (piece) => piece.split('\r\n').join('\n').split('\r').join('\n'));
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
