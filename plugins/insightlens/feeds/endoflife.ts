import { MOST_PRODUCTS, MOST_RELEASES, type FeedContent, type FeedFile, type Product } from './definition.js';
import type { Release } from './cycles.js';
import { cut } from '../matching/cut.js';
import { frontMatterOf } from './front-matter.js';
import type { FeedReader } from './reading.js';

const MOST_OF_PRODUCT = 1_000;
const MOST_ALIASES = 50;
const MOST_CODENAME = 100;
const SLUG = /^[\p{L}\p{N}][\p{L}\p{N}.+_-]*$/u;

type Values = Record<string, unknown>;

/**
 * Reads end-of-life dates in the forms of endoflife.date: `GET /api/v1/products/full` or one of its products, the older
 * `GET /api/{product}.json`, which the file is named after, and the Markdown files of its repository.
 * https://endoflife.date/docs/api/v1/
 * @throws FeedFaults with everything that is not valid
 */
export function readEndOfLife(reader: FeedReader, files: readonly FeedFile[]): FeedContent {
  const products = new Map<string, Product>();
  let published: string | null = null;
  let releases = 0;
  const add = (product: Product | undefined, at: string): void => {
    if (!product) return;
    if (products.has(product.slug)) reader.fault(at, `is the second product named ${product.slug}`);
    products.set(product.slug, product);
    releases += product.releases.length;
  };
  for (const [i, { name, bytes }] of files.entries()) {
    const at = `/files/${i}`;
    const slug = name.replace(/\.[^.]*$/, '');
    if (/\.(?:md|markdown|ya?ml)$/i.test(name)) {
      const text = reader.utf8(bytes, at);
      const values = text === undefined ? undefined : frontMatterOf(text);
      if (typeof values === 'string') reader.fault(at, values);
      else if (values) add(ofPage(reader, values, slug, at), at);
      continue;
    }
    const json = reader.json(bytes, at);
    if (json === undefined) continue;
    if (Array.isArray(json)) {
      add(ofCycles(reader, json, slug, at), at);
      continue;
    }
    const { result, generated_at } = reader.object(json, at) ?? {};
    published ??= reader.optional(generated_at, `${at}/generated_at`, 50);
    const all = Array.isArray(result) ? reader.list(result, `${at}/result`, MOST_PRODUCTS) : [result];
    for (const [k, value] of all.entries()) {
      const place = Array.isArray(result) ? `${at}/result/${k}` : `${at}/result`;
      add(ofApi(reader, value, place), place);
    }
  }
  if (products.size > MOST_PRODUCTS) reader.fault('/files', `have more than ${MOST_PRODUCTS} products`);
  if (releases > MOST_RELEASES) reader.fault('/files', `have more than ${MOST_RELEASES} releases`);
  if (releases === 0) reader.fault('/files', 'have no releases');
  reader.end();
  return { feed: 'endoflife', published, products: [...products.values()] };
}

function productOf(
  reader: FeedReader,
  given: { slug: unknown; title: unknown; aliases: unknown; releases: unknown },
  at: string,
  read: (value: Values, at: string) => Release | undefined,
): Product | undefined {
  const slug = reader.text(given.slug, `${at}/name`, 100);
  if (slug !== undefined && !SLUG.test(slug))
    reader.fault(`${at}/name`, 'must be the name of a product, such as nodejs');
  const title = reader.optional(given.title, `${at}/title`, 200) ?? slug;
  const aliases = reader
    .list(given.aliases ?? [], `${at}/aliases`, MOST_ALIASES)
    .map((alias, i) => reader.text(alias, `${at}/aliases/${i}`, 200)?.replace(/^\//, ''));
  const releases = new Map<string, Release>();
  for (const [i, value] of reader.list(given.releases, `${at}/releases`, MOST_OF_PRODUCT).entries()) {
    const place = `${at}/releases/${i}`;
    const values = reader.object(value, place);
    const release = values && read(values, place);
    if (!release) continue;
    if (releases.has(release.cycle)) reader.fault(place, `is the second release named ${release.cycle}`);
    releases.set(release.cycle, release);
  }
  if (slug === undefined || title === undefined) return undefined;
  return { slug, title, aliases: aliases.filter((alias) => alias !== undefined), releases: [...releases.values()] };
}

/** A Markdown file of the repository: all values are texts. */
function ofPage(reader: FeedReader, values: Values, slug: string, at: string): Product | undefined {
  const given = { slug, title: values['title'], aliases: values['alternate_urls'], releases: values['releases'] };
  return productOf(reader, given, at, (release, place) => {
    const cycle = reader.text(release['releaseCycle'], `${place}/releaseCycle`, 100);
    const label = reader.optional(release['releaseLabel'] ?? values['releaseLabel'], `${place}/releaseLabel`, 300);
    return cycle === undefined
      ? undefined
      : {
          cycle,
          label: label && labelOf(label, cycle, String(release['codename'] ?? '')),
          eol: reader.dayOrBoolean(release['eol'], `${place}/eol`),
          eoas: reader.dayOrBoolean(release['eoas'], `${place}/eoas`),
          latest: reader.optional(release['latest'], `${place}/latest`, 100),
        };
  });
}

const labelOf = (label: string, cycle: string, codename: string): string =>
  cut(
    label
      .replaceAll('__RELEASE_CYCLE__', () => cycle)
      .replaceAll('__CODENAME__', () => codename.slice(0, MOST_CODENAME))
      .replace(/<[^<>]*>|\{%[^{}]*%\}/g, ''),
    200,
  );

/** A product of the API, version 1. */
function ofApi(reader: FeedReader, value: unknown, at: string): Product | undefined {
  const product = reader.object(value, at);
  if (!product) return undefined;
  const given = {
    slug: product['name'],
    title: product['label'],
    aliases: product['aliases'],
    releases: product['releases'],
  };
  return productOf(reader, given, at, (release, place) => {
    const cycle = reader.text(release['name'], `${place}/name`, 100);
    const latest =
      release['latest'] === null || release['latest'] === undefined
        ? {}
        : reader.object(release['latest'], `${place}/latest`);
    const end = (on: string, is: string): string | boolean | null =>
      reader.optionalDay(release[on], `${place}/${on}`) ?? reader.dayOrBoolean(release[is], `${place}/${is}`);
    return cycle === undefined
      ? undefined
      : {
          cycle,
          label: reader.optional(release['label'], `${place}/label`, 200),
          eol: end('eolFrom', 'isEol'),
          eoas: end('eoasFrom', 'isEoas'),
          latest: reader.optional(latest?.['name'], `${place}/latest/name`, 100),
        };
  });
}

/** The cycles of one product, as the older API has them. */
function ofCycles(reader: FeedReader, cycles: unknown[], slug: string, at: string): Product | undefined {
  const given = { slug, title: undefined, aliases: undefined, releases: cycles };
  return productOf(reader, given, at, (release, place) => {
    const { cycle: name, latest } = release;
    const cycle = reader.text(typeof name === 'number' ? String(name) : name, `${place}/cycle`, 100);
    return cycle === undefined
      ? undefined
      : {
          cycle,
          label: reader.optional(release['releaseLabel'], `${place}/releaseLabel`, 200),
          eol: reader.dayOrBoolean(release['eol'], `${place}/eol`),
          eoas: reader.dayOrBoolean(release['support'], `${place}/support`),
          latest: reader.optional(typeof latest === 'number' ? String(latest) : latest, `${place}/latest`, 100),
        };
  });
}
