import { xmlText } from './text.js';

/** Maximum number of links of a sheet, and of characters of an address, that spreadsheets accept. */
const [MOST, MAX_URL] = [65_530, 2_079];
/** Maximum number of characters of all addresses of a sheet: they are stored behind its rows, so they are held in memory. */
const MAX_HELD = 8_388_608;
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
const HYPERLINK = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink';

/** The links of a sheet. They are not formulas, so that a file has no formula at all. */
export class Hyperlinks {
  private readonly links: { ref: string; url: string }[] = [];
  private held = 0;

  /** @returns whether the cell becomes a link: the address is accepted, and there are not too many */
  add(ref: string, address: string): boolean {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url || !SCHEMES.has(url.protocol) || url.href.length > MAX_URL) return false;
    if (this.links.length === MOST || this.held + url.href.length > MAX_HELD) return false;
    this.held += url.href.length;
    this.links.push({ ref, url: url.href });
    return true;
  }

  get isEmpty(): boolean {
    return this.links.length === 0;
  }

  /** The element of the sheet. */
  *elements(): Generator<string> {
    if (this.isEmpty) return;
    yield '<hyperlinks>';
    for (const [i, { ref }] of this.links.entries()) yield `<hyperlink ref="${ref}" r:id="rId${i + 1}"/>`;
    yield '</hyperlinks>';
  }

  /** The relationships of the sheet, in which the addresses are. */
  *relationships(): Generator<string> {
    yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">';
    for (const [i, { url }] of this.links.entries())
      yield `<Relationship Id="rId${i + 1}" Type="${HYPERLINK}" Target="${xmlText(url)}" TargetMode="External"/>`;
    yield '</Relationships>';
  }
}
