/**
 * Fonts with only some characters. resvg reads the whole file of a font for each glyph that it draws, so that the time of an
 * image is proportional to the size of the files.
 */

/** Tables that are taken as they are. */
const KEPT = ['OS/2', 'name'];
/** Bits of a component of a glyph that is made of others. */
const [WORDS, SCALE, MORE, TWO_SCALES, MATRIX] = [0x1, 0x8, 0x20, 0x40, 0x80];

/** The tables of a font file, or of the first font of a collection, by name. */
function tablesOf(file: Buffer): Map<string, Buffer> {
  const start = file.toString('latin1', 0, 4) === 'ttcf' ? file.readUInt32BE(12) : 0;
  const tables = new Map<string, Buffer>();
  for (let i = 0, at = start + 12; i < file.readUInt16BE(start + 4); i++, at += 16) {
    const offset = file.readUInt32BE(at + 8);
    tables.set(file.toString('latin1', at, at + 4), file.subarray(offset, offset + file.readUInt32BE(at + 12)));
  }
  return tables;
}

/** A font file whose glyphs can be looked up. */
export class FontFile {
  private readonly tables: ReadonlyMap<string, Buffer>;
  private readonly glyphOf: (code: number) => number;

  /** @throws if the file is not a font of TrueType or OpenType with outlines and a character map of Unicode */
  constructor(file: Buffer) {
    this.tables = tablesOf(file);
    // The glyphs of some fonts are images, which resvg does not draw.
    if (!this.tables.has('glyf')) this.table('CFF ');
    this.glyphOf = lookUp(this.table('cmap'));
  }

  /** The weight class: 400 is regular, 700 is bold. */
  get weight(): number {
    return this.tables.get('OS/2')?.readUInt16BE(4) ?? 400;
  }

  /** Whether the font has a character. */
  has(code: number): boolean {
    return this.glyphOf(code) > 0;
  }

  /**
   * A font file with these characters, without kerning and ligatures. Outlines in the format CFF are kept all.
   * @param codes code points, of which those that the font does not have are omitted
   */
  subset(codes: Iterable<number>): Buffer {
    const characters = [...codes].filter((code) => this.has(code)).sort((a, b) => a - b);
    const tables = new Map(KEPT.flatMap((name) => (this.tables.has(name) ? [[name, this.table(name)]] : [])));
    const [head, hhea, maxp] = ['head', 'hhea', 'maxp'].map((name) => Buffer.from(this.table(name)));
    const ids = this.tables.has('glyf') ? this.withComponents(characters) : undefined;
    const placeOf = new Map(ids?.map((id, place) => [id, place]));
    if (ids) {
      const outlines = ids.map((id) => renumbered(this.outline(id), placeOf));
      const loca = Buffer.alloc((ids.length + 1) * 4);
      let end = 0;
      for (const [i, { length }] of outlines.entries()) loca.writeUInt32BE((end += length), (i + 1) * 4);
      head!.writeInt16BE(1, 50);
      hhea!.writeUInt16BE(ids.length, 34);
      maxp!.writeUInt16BE(ids.length, 4);
      tables.set('glyf', Buffer.concat(outlines)).set('loca', loca);
      tables.set('hmtx', Buffer.concat(ids.map((id) => this.metrics(id))));
    } else tables.set('CFF ', this.table('CFF ')).set('hmtx', this.table('hmtx'));
    const glyphs = characters.map((code): [number, number] => {
      const id = this.glyphOf(code);
      return [code, placeOf.get(id) ?? id];
    });
    tables.set('head', head!).set('hhea', hhea!).set('maxp', maxp!).set('cmap', characterMap(glyphs));
    return fontOf(tables, ids ? 0x00010000 : 0x4f54544f);
  }

  private table(name: string): Buffer {
    const table = this.tables.get(name);
    if (!table) throw new Error(`The font has no table ${name}.`);
    return table;
  }

  /** The glyphs of characters and all that these are made of; the first one is that of missing characters. */
  private withComponents(characters: readonly number[]): number[] {
    const ids = new Set([0, ...characters.map((code) => this.glyphOf(code))]);
    // A set is iterated with the members that are added meanwhile.
    for (const id of ids) for (const at of componentsOf(this.outline(id))) ids.add(this.outline(id).readUInt16BE(at));
    return [...ids];
  }

  private outline(id: number): Buffer {
    const loca = this.table('loca');
    const isLong = this.table('head').readInt16BE(50) === 1;
    const at = (n: number): number => (isLong ? loca.readUInt32BE(n * 4) : loca.readUInt16BE(n * 2) * 2);
    return this.table('glyf').subarray(at(id), at(id + 1));
  }

  /** Advance width and left side bearing. */
  private metrics(id: number): Buffer {
    const [hmtx, measured] = [this.table('hmtx'), this.table('hhea').readUInt16BE(34)];
    if (id < measured) return hmtx.subarray(id * 4, id * 4 + 4);
    const bearing = measured * 4 + (id - measured) * 2;
    return Buffer.concat([hmtx.subarray(measured * 4 - 4, measured * 4 - 2), hmtx.subarray(bearing, bearing + 2)]);
  }
}

/** The places of the numbers of the glyphs that a glyph is made of, in its outline. */
function componentsOf(outline: Buffer): number[] {
  const places: number[] = [];
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return places;
  for (let at = 10, flags = MORE; (flags & MORE) > 0; ) {
    flags = outline.readUInt16BE(at);
    places.push(at + 2);
    at += 4 + (flags & WORDS ? 4 : 2) + (flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & MATRIX ? 8 : 0);
  }
  return places;
}

/** An outline, of an even length, in which other glyphs have the numbers of the new font. */
function renumbered(outline: Buffer, placeOf: ReadonlyMap<number, number>): Buffer {
  const copy = Buffer.alloc(outline.length + (outline.length % 2));
  outline.copy(copy);
  for (const at of componentsOf(outline)) copy.writeUInt16BE(placeOf.get(outline.readUInt16BE(at))!, at);
  return copy;
}

/** The glyph of a code point; 0 if there is none. Reads the formats 12 and 4, which fonts with Unicode have. */
function lookUp(cmap: Buffer): (code: number) => number {
  const found = new Map<number, Buffer>();
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const [platform, table] = [cmap.readUInt16BE(4 + i * 8), cmap.subarray(cmap.readUInt32BE(8 + i * 8))];
    if (platform === 0 || platform === 3) found.set(table.readUInt16BE(0), table);
  }
  const [wide, narrow] = [found.get(12), found.get(4)];
  if (wide) return (code) => inGroups(wide, code);
  if (narrow) return (code) => (code > 0xffff ? 0 : inSegments(narrow, code));
  throw new Error('The font has no character map of format 12 or 4.');
}

function inGroups(table: Buffer, code: number): number {
  let [low, high] = [0, table.readUInt32BE(12) - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = 16 + middle * 12;
    if (code < table.readUInt32BE(at)) high = middle - 1;
    else if (code > table.readUInt32BE(at + 4)) low = middle + 1;
    else return table.readUInt32BE(at + 8) + code - table.readUInt32BE(at);
  }
  return 0;
}

function inSegments(table: Buffer, code: number): number {
  const size = table.readUInt16BE(6);
  for (let i = 0; i < size; i += 2) {
    if (code > table.readUInt16BE(14 + i)) continue;
    const first = table.readUInt16BE(16 + size + i);
    if (code < first) return 0;
    const [delta, range] = [table.readUInt16BE(16 + size * 2 + i), table.readUInt16BE(16 + size * 3 + i)];
    if (range === 0) return (code + delta) & 0xffff;
    const glyph = table.readUInt16BE(16 + size * 3 + i + range + (code - first) * 2);
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  }
  return 0;
}

/** A character map of format 12 with a group for each character. @param glyphs code points, ascending, with their glyphs */
function characterMap(glyphs: readonly [number, number][]): Buffer {
  const map = Buffer.alloc(28 + glyphs.length * 12);
  map.writeUInt16BE(1, 2);
  // Platform Windows, encoding UCS-4, at the offset 12.
  map.writeUInt16BE(3, 4);
  map.writeUInt16BE(10, 6);
  map.writeUInt32BE(12, 8);
  map.writeUInt16BE(12, 12);
  map.writeUInt32BE(16 + glyphs.length * 12, 16);
  map.writeUInt32BE(glyphs.length, 24);
  for (const [i, [code, glyph]] of glyphs.entries())
    for (const [n, value] of [code, code, glyph].entries()) map.writeUInt32BE(value, 28 + i * 12 + n * 4);
  return map;
}

/** A font file. Its checksums, which resvg does not read, are 0. */
function fontOf(tables: ReadonlyMap<string, Buffer>, version: number): Buffer {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const header = Buffer.alloc(12 + sorted.length * 16);
  header.writeUInt32BE(version, 0);
  header.writeUInt16BE(sorted.length, 4);
  const parts = [header];
  let end = header.length;
  for (const [i, [name, table]] of sorted.entries()) {
    header.write(name, 12 + i * 16, 'latin1');
    header.writeUInt32BE(end, 20 + i * 16);
    header.writeUInt32BE(table.length, 24 + i * 16);
    const padded = Buffer.alloc(Math.ceil(table.length / 4) * 4);
    table.copy(padded);
    parts.push(padded);
    end += padded.length;
  }
  return Buffer.concat(parts);
}
