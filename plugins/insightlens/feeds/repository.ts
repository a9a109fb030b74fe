import type { Inventory, ModuleServices, UnitOfWork } from '@lintel/sdk';
import { NOW } from '../basics.js';
import type { Feed, FeedContent, Product, Vulnerability } from './definition.js';

type Db = Pick<ModuleServices['db'], 'query'>;
type Row<T> = T & Record<string, unknown>;

/** A feed as it is stored. */
export interface StoredFeed {
  feed: Feed;
  version: number;
  source: 'upload' | 'fetch' | null;
  published: string | null;
  loaded_at: Date | null;
  entries: number;
  url: string | null;
  etag: string | null;
  last_modified: string | null;
  checked_at: Date | null;
  failed_at: Date | null;
  failure: { code: string; detail: string } | null;
}

const COLUMNS =
  'feed, version, source, published, loaded_at, entries, url, etag, last_modified, checked_at, failed_at, failure';
const LIST = { name: 'insightlens-feeds', text: `select ${COLUMNS} from insightlens_feeds order by feed` };
const LOCK = {
  name: 'insightlens-feed-lock',
  text: `select ${COLUMNS} from insightlens_feeds where feed = $1 for no key update`,
};
const LOADED = {
  name: 'insightlens-feed-loaded',
  text: `update insightlens_feeds set version = version + 1, source = $2, published = $3, entries = $4, loaded_at = ${NOW}, url = $5, etag = $6,
      last_modified = $7, checked_at = case when $2 = 'fetch' then ${NOW} else checked_at end, failed_at = null, failure = null where feed = $1`,
};
const UNCHANGED = {
  name: 'insightlens-feed-unchanged',
  text: `update insightlens_feeds set version = version + 1, checked_at = ${NOW}, failed_at = null, failure = null where feed = $1`,
};
const FAILED = {
  name: 'insightlens-feed-failed',
  text: `update insightlens_feeds set version = version + 1, checked_at = ${NOW}, failed_at = ${NOW}, failure = $2 where feed = $1`,
};
const DELETE_VULNERABILITIES = { name: 'insightlens-kev-delete', text: 'delete from insightlens_vulnerabilities' };
const INSERT_VULNERABILITIES = {
  name: 'insightlens-kev-insert',
  text: `insert into insightlens_vulnerabilities (cve, vendor, product, name, added, due, ransomware, action)
    select * from jsonb_to_recordset($1::jsonb) as g(cve text, vendor text, product text, name text, added date, due date, ransomware boolean, action text)`,
};
const DELETE_PRODUCTS = { name: 'insightlens-endoflife-delete', text: 'delete from insightlens_products' };
const INSERT_PRODUCTS = {
  name: 'insightlens-endoflife-products',
  text: `insert into insightlens_products (slug, title, aliases)
    select g.slug, g.title, array(select jsonb_array_elements_text(g.aliases)) from jsonb_to_recordset($1::jsonb) as g(slug text, title text, aliases jsonb)`,
};
const INSERT_RELEASES = {
  name: 'insightlens-endoflife-releases',
  text: `insert into insightlens_releases (slug, place, cycle, label, eol, eoas, latest)
    select g.slug, r.place, r.value->>'cycle', r.value->>'label', nullif(r.value->'eol', 'null'), nullif(r.value->'eoas', 'null'), r.value->>'latest'
      from jsonb_to_recordset($1::jsonb) as g(slug text, releases jsonb), jsonb_array_elements(g.releases) with ordinality as r(value, place)`,
};

export async function listFeeds(db: Db): Promise<StoredFeed[]> {
  return await db.query<Row<StoredFeed>>(LIST);
}

/** The feed, locked until the transaction ends. */
export async function lockFeed(uow: UnitOfWork, feed: Feed): Promise<StoredFeed> {
  return (await uow.query<Row<StoredFeed>>(LOCK, [feed]))[0]!;
}

/** From where the content of a feed came. */
export interface FeedOrigin {
  source: 'upload' | 'fetch';
  url: string | null;
  etag: string | null;
  last_modified: string | null;
}

/** Replaces the content of a feed, which was checked. @param uow has locked the feed */
export async function replaceFeed(uow: UnitOfWork, content: FeedContent, origin: FeedOrigin): Promise<void> {
  const { feed, published } = content;
  const { source, url, etag, last_modified } = origin;
  let entries = 0;
  if (content.feed === 'kev') {
    entries = content.vulnerabilities.length;
    await uow.query(DELETE_VULNERABILITIES, []);
    await uow.query(INSERT_VULNERABILITIES, [JSON.stringify(content.vulnerabilities)]);
  } else {
    entries = content.products.length;
    const given = JSON.stringify(content.products);
    await uow.query(DELETE_PRODUCTS, []);
    await uow.query(INSERT_PRODUCTS, [given]);
    await uow.query(INSERT_RELEASES, [given]);
  }
  await uow.query(LOADED, [feed, source, published, entries, url, etag, last_modified]);
}

/** Notes that the content of a feed is still the latest. */
export async function noteUnchanged(uow: UnitOfWork, feed: Feed): Promise<void> {
  await uow.query(UNCHANGED, [feed]);
}

/** Notes that a feed could not be fetched: its content is kept. */
export async function noteFailed(
  uow: UnitOfWork,
  feed: Feed,
  failure: { code: string; detail: string },
): Promise<void> {
  await uow.query(FAILED, [feed, JSON.stringify(failure)]);
}

/** All vulnerabilities, by CVE. */
export async function readVulnerabilities(inventory: Inventory): Promise<Vulnerability[]> {
  return await inventory.query<Row<Vulnerability>>(
    'insightlens-kev',
    () => `select cve, vendor, product, name, added::text as added, due::text as due, ransomware, action
      from insightlens_vulnerabilities order by cve`,
  );
}

/** All products with their releases, by slug. */
export async function readProducts(inventory: Inventory): Promise<Product[]> {
  return await inventory.query<Row<Product>>(
    'insightlens-endoflife',
    () => `select p.slug, p.title, p.aliases, coalesce(r.releases, '[]'::jsonb) as releases from insightlens_products p
      left join (select slug, jsonb_agg(jsonb_build_object('cycle', cycle, 'label', label, 'eol', eol, 'eoas', eoas, 'latest', latest)
        order by place) as releases from insightlens_releases group by slug) r on r.slug = p.slug order by p.slug`,
  );
}

/** The cycles of all products, by product and place. */
export async function readCycles(db: Db): Promise<{ slug: string; title: string; cycle: string }[]> {
  return await db.query<Row<{ slug: string; title: string; cycle: string }>>({
    name: 'insightlens-cycles',
    text: `select p.slug, p.title, r.cycle from insightlens_products p join insightlens_releases r on r.slug = p.slug order by p.slug, r.place`,
  });
}
