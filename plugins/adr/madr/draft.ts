import type { Parsed } from './parse.js';
import type { Kind } from './words.js';

/** A range of the source and its replacement; an empty range is an insertion. */
interface Edit {
  from: number;
  to: number;
  text: string;
}

export const HEADINGS = {
  context: '## Context and Problem Statement',
  drivers: '## Decision Drivers',
  options: '## Considered Options',
  decision: '## Decision Outcome',
  consequences: '### Consequences',
  prosCons: '## Pros and Cons of the Options',
  links: '## More Information',
} as const;
type Placed = keyof typeof HEADINGS;
const ORDER = Object.keys(HEADINGS) as Placed[];

/** A parsed source with collected edits; everything else remains unchanged. */
export class Draft {
  readonly edits: Edit[] = [];
  readonly marker: string;
  private readonly eol: string;

  constructor(
    readonly source: string,
    readonly parsed: Parsed,
  ) {
    this.eol = source.includes('\r\n') ? '\r\n' : '\n';
    const first = parsed.layout.drivers[0] ?? parsed.options.find((option) => option.item)?.item;
    const marker = first && source.slice(first.start, first.start + 4).trimStart()[0];
    this.marker = marker !== undefined && '*-+'.includes(marker) ? marker : '*';
  }

  replace(from: number, to: number, text: string): void {
    this.edits.push({ from, to, text: text.replaceAll('\n', this.eol) });
  }

  /** Inserts lines at the start of a line or at the end of the source. */
  insert(at: number, lines: string): void {
    const before = at > 0 && this.source[at - 1] !== '\n' ? '\n' : '';
    this.replace(at, at, `${before}${lines}`);
  }

  list(points: readonly string[], lead = ''): string {
    return points.map((point) => `${this.marker} ${lead}${point.replaceAll('\n', '\n  ')}\n`).join('');
  }

  /** Inserts a new section at the usual position of its kind. */
  addSection(kind: Placed, text: string): void {
    const { sections, bodies } = this.parsed.layout;
    const later: readonly Kind[] =
      kind === 'consequences'
        ? []
        : [...ORDER.slice(ORDER.indexOf(kind) + 1), ...(kind === 'context' ? [] : (['positive', 'negative'] as const))];
    const starts = later.flatMap((other) => sections.get(other)?.start ?? []);
    const own =
      kind === 'consequences'
        ? (bodies.get('decision')?.to ??
          Math.min(
            ...['prosCons', 'links'].flatMap((other) => sections.get(other as Kind)?.start ?? []),
            this.source.length,
          ))
        : undefined;
    const at = own ?? Math.min(...starts, this.source.length);
    const block = `${HEADINGS[kind]}\n\n${text.trimEnd()}\n`;
    if (at < this.source.length) this.insert(at, `${block}\n`);
    else this.insert(at, this.source === '' ? block : `\n${block}`);
  }

  /** Replaces the text of a section; removes the section without text. */
  setSection(
    kind: Exclude<Placed, 'options' | 'prosCons' | 'links'>,
    text: string | null,
    at?: { from: number; body: number; to: number },
  ): void {
    if (!at) {
      if (text !== null) this.addSection(kind, text);
      return;
    }
    if (text === null) {
      this.replace(at.from, at.to, '');
      return;
    }
    const before = this.source[at.body - 1] === '\n' ? '' : '\n';
    this.replace(at.body, at.to, `${before}\n${text.trimEnd()}\n${at.to < this.source.length ? '\n' : ''}`);
  }

  toString(): string {
    // Stable sort: insertions at one position keep their order, and come before a replacement starting there.
    const edits = [...this.edits].sort((a, b) => a.from - b.from || a.to - b.to);
    let [out, at] = ['', 0];
    for (const { from, to, text } of edits) {
      if (from < at) continue;
      out += this.source.slice(at, from) + text;
      at = to;
    }
    return out + this.source.slice(at);
  }
}
