/** Which products of the feeds a card is, by its name, its version and its suppliers. */
import type { Product, Vulnerability } from './definition.js';

/** A card as far as its product is concerned. */
export interface ProductCard {
  id: string;
  /** The name of the product, or of the card. */
  name: string;
  /** The version that the card states. */
  version: string | null;
  suppliers: readonly { id: string; name: string }[];
}

/** What the name of a card says about it. `via` is the supplier without which it would not have been found. */
export interface Found<T> {
  found: readonly T[];
  /** What the name has after the product. */
  version: string | null;
  via: string | null;
  /** Products of that name whose vendor is not known to be that of the card. */
  unsure: readonly T[];
}

/** A product of the known exploited vulnerabilities, with these. */
export interface Exploited {
  vendor: string;
  product: string;
  vulnerabilities: readonly Vulnerability[];
}

/** Legal forms at the end of the names of companies. */
const LEGAL =
  /(?: (?:inc|incorporated|corp|corporation|co|company|llc|ltd|limited|plc|gmbh|ag|se|sa|bv|ab|oy|kg|foundation))+$/;
/** Words that are part of a version: `2012 R2`, `22.04 LTS`, `2019 LTSC`, `12 SP5`, `24H2`. */
const VERSION_WORD = /^(?:v?\d[\p{L}\p{N}.:+_-]*|r\d+|sp\d*|lts|ltsc|ltsb|esr|update|u\d+|cu\d+|release|version)$/iu;
const MOST_VERSION_WORDS = 4;
const MOST_WORDS = 30;

type Fold = (text: string) => string;

/** Looks products up by their normalised names. */
export class ProductIndex {
  private readonly products = new Map<string, Product[]>();
  private readonly exploited = new Map<string, Exploited[]>();
  private readonly byVendor = new Map<string, Exploited>();
  private readonly bySlug = new Map<string, Product>();

  /** @param fold folds case and accents, and replaces everything except letters and digits by blanks: `host.searchFold` */
  constructor(
    private readonly fold: Fold,
    products: readonly Product[],
    vulnerabilities: readonly Vulnerability[],
  ) {
    for (const product of products) {
      this.bySlug.set(product.slug, product);
      for (const key of new Set([product.slug, product.title, ...product.aliases].map(fold)))
        if (key !== '') add(this.products, key, product);
    }
    const grouped = new Map<string, Vulnerability[]>();
    for (const one of vulnerabilities) add(grouped, this.key(one.vendor, one.product), one);
    for (const [key, all] of grouped) {
      const { vendor, product } = all[0]!;
      const exploited = { vendor, product, vulnerabilities: all };
      this.byVendor.set(key, exploited);
      add(this.exploited, fold(product), exploited);
    }
  }

  /** A product by the name that people have chosen. */
  bySlugOf(slug: string): Product | undefined {
    return this.bySlug.get(slug);
  }

  /** The vulnerabilities of a product that people have chosen. */
  exploitedOf(vendor: string, product: string): Exploited | undefined {
    return this.byVendor.get(this.key(vendor, product));
  }

  /**
   * The products of the end-of-life dates with the name of the card: as it is, after or without the name of a supplier. Several are
   * returned if the name is that of several.
   */
  lifecycleOf(card: ProductCard): Found<Product> {
    for (const { key, version } of readings(card.name, this.fold)) {
      const direct = this.products.get(key);
      if (direct) return { found: direct, version, via: null, unsure: [] };
      for (const { id, name } of card.suppliers) {
        const vendor = this.vendorKey(name);
        const found = this.products.get(`${vendor} ${key}`) ?? this.products.get(without(key, vendor));
        if (found) return { found, version, via: id, unsure: [] };
      }
    }
    return NOTHING;
  }

  /** The products of the known exploited vulnerabilities with the name of the card, if the vendor is in the name or a supplier. */
  vulnerableOf(card: ProductCard): Found<Exploited> {
    for (const { key, version } of readings(card.name, this.fold)) {
      const heads = key.split(' ');
      for (let n = 1; n < heads.length; n++) {
        const rest = heads.slice(n).join(' ');
        const vendor = heads.slice(0, n).join(' ');
        const found = (this.exploited.get(rest) ?? []).filter((one) => this.vendorKey(one.vendor) === vendor);
        if (found.length > 0) return { found, version, via: null, unsure: [] };
      }
      const named = this.exploited.get(key);
      if (!named) continue;
      for (const { id, name } of card.suppliers) {
        const found = named.filter((one) => this.vendorKey(one.vendor) === this.vendorKey(name));
        if (found.length > 0) return { found, version, via: id, unsure: [] };
      }
      return { ...NOTHING, version, unsure: named };
    }
    return NOTHING;
  }

  private vendorKey(name: string): string {
    const key = this.fold(name);
    return key.replace(LEGAL, '') || key;
  }

  private key(vendor: string, product: string): string {
    return `${this.vendorKey(vendor)}|${this.fold(product)}`;
  }
}

const NOTHING = { found: [], version: null, via: null, unsure: [] } as const;

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const all = map.get(key);
  if (all) all.push(value);
  else map.set(key, [value]);
}

const without = (key: string, vendor: string): string =>
  key.startsWith(`${vendor} `) ? key.slice(vendor.length + 1) : '';

/** The ways to read a name as a product with a version, the longest product first. */
function* readings(name: string, fold: Fold): Iterable<{ key: string; version: string | null }> {
  const words = name.trim().split(/\s+/).slice(0, MOST_WORDS);
  for (let n = words.length; n > 0; n--) {
    const rest = words.slice(n);
    if (rest.length > MOST_VERSION_WORDS || !rest.every((word) => VERSION_WORD.test(word))) return;
    const key = fold(words.slice(0, n).join(' '));
    if (key !== '') yield { key, version: rest.length === 0 ? null : rest.join(' ') };
  }
}
