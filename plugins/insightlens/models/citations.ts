/** A card that an answer cites. */
export interface Citation {
  /** As in the text: `C1`. */
  ref: string;
  card_id: string;
}

/** Text in brackets, also in those of East Asian texts, and references in it. */
const BRACKETS = /[[【]([^[\]【】\n]{1,300})[\]】]/g;
const REF = /(?<![\p{L}\p{N}])C\d{1,9}(?![\p{L}\p{N}])/giu;
const SEPARATORS = /^[\s,;]*$/;
const UUID = /[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/gi;
/** Links and images: an answer could lead its reader elsewhere, or pass on what it has read. */
const LINK =
  /!?\[([^\]\n]{0,200})\]\([^)\n]{0,2000}\)|<?\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)\S+|<\/?[a-z][^>\n]{0,500}>/gi;
/** The target of a link that is defined elsewhere in the text, as in `[1]: //example.org`. */
const DEFINITION = /^[ \t]{0,3}(\[[^\]\n]{1,200}\]):.*$/gm;
/** What is left of markup around markup that was removed. */
const TAG_BEGIN = /<(?=[a-z/!?])/gi;
/** Markup around markup: more than this is not answered by any model that means well. */
const MOST_ROUNDS = 20;
/** A reference, a link or markup that is not complete yet, at the end of a text. */
const OPEN = /(?:!?[[【][^\]】\n]{0,300}|!?\[[^\]\n]{0,300}\]\([^)\n]{0,2000}|<\/?[a-z][^>\n]{0,500})$/i;
/** Longest text that is held back until it is complete. */
const MOST_HELD = 2_300;

/**
 * The cards that a model is told about, by short references, and the only ones that it can cite: the model never sees an id, so
 * that an id in an answer is invented.
 */
export class Citations {
  private readonly refs = new Map<string, string>();
  private readonly ids = new Map<string, string>();
  private readonly used = new Set<string>();

  /** @returns the reference of a card, such as `C1` */
  refOf(cardId: string): string {
    let ref = this.refs.get(cardId);
    if (ref === undefined) {
      ref = `C${this.refs.size + 1}`;
      this.refs.set(cardId, ref);
      this.ids.set(ref, cardId);
    }
    return ref;
  }

  /** A text of the model without references to unknown cards, ids, links and markup; it is recorded which cards it cites. */
  clean(text: string): string {
    return withoutLinks(text.toWellFormed().replaceAll('\0', '')).replace(BRACKETS, (all, inner: string) => {
      const refs = inner.match(REF);
      if (!refs) return all;
      const known = refs.map((ref) => ref.toUpperCase()).filter((ref) => this.ids.has(ref));
      for (const ref of known) this.used.add(ref);
      if (SEPARATORS.test(inner.replace(REF, ''))) return known.map((ref) => `[${ref}]`).join('');
      return `[${inner.replace(REF, (ref) => (this.ids.has(ref.toUpperCase()) ? ref.toUpperCase() : ''))}]`;
    });
  }

  /** The cards cited so far, in the order of their first citation. */
  get cited(): Citation[] {
    return [...this.used].map((ref) => ({ ref, card_id: this.ids.get(ref)! }));
  }
}

/** A text without ids, links and markup, also those that come about when others are removed. */
function withoutLinks(text: string): string {
  let [before, now] = ['', text];
  for (let round = 0; before !== now && round < MOST_ROUNDS; round++) {
    before = now;
    now = now.replace(LINK, (_all, label: string | undefined) => label ?? '').replace(UUID, '');
  }
  // A text that still changes is one that hides something.
  return (before === now ? now : '').replace(DEFINITION, '$1').replace(TAG_BEGIN, '< ');
}

/** The same for an answer that arrives in parts: what may become a reference or a link is held back until it is complete. */
export class CleanStream {
  private held = '';

  /** @param clean of a complete piece of text */
  constructor(private readonly clean: (text: string) => string) {}

  /** @returns what can be shown now; may be empty */
  push(text: string): string {
    this.held += text;
    // The space divides what could become a link.
    if (this.held.length > MOST_HELD) return `${this.end()} `;
    const at = Math.max(this.held.lastIndexOf(' '), this.held.lastIndexOf('\n')) + 1;
    const words = this.held.slice(0, at);
    const cut = OPEN.exec(words)?.index ?? at;
    const ready = this.held.slice(0, cut);
    this.held = this.held.slice(cut);
    return this.clean(ready);
  }

  /** @returns the rest */
  end(): string {
    const rest = this.held;
    this.held = '';
    return this.clean(rest);
  }
}
