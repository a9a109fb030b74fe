import type pg from 'pg';
import { defaultCardTypes, defaultRelationTypes } from '../../config/metamodel/index.js';

/** Set-based, because the service no longer writes this schema: the one before versions were stored as changes. */
const TYPES = `
insert into card_types (key, doc, sort_order) select t->>'key', t, (t->>'sort_order')::int from jsonb_array_elements($1::jsonb) t`;
const RELATION_TYPES = `
insert into relation_types (key, source_type, target_type, one_source, one_target, allow_self, doc, sort_order)
  select t->>'key', t->>'source_type', t->>'target_type', t->>'cardinality' <> 'n:m', t->>'cardinality' = '1:1', (t->>'allow_self')::boolean, t, (t->>'sort_order')::int
    from jsonb_array_elements($1::jsonb) t`;

/** Ids that increase with the number, as those of the service do. `kind` tells cards, relations and changes apart. */
const IDS = `
create function pg_temp.made_id(kind int, n bigint) returns uuid language sql immutable as
  $$ select (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || kind || substr(md5(n::text), 1, 2) || '8' || substr(md5(n::text), 3, 15))::uuid $$`;

/**
 * Of 100 cards, 50 are applications, one of which is archived, 20 IT components, 20 capabilities below one of them, and 10
 * interfaces. One card in five has two to six versions, the others have one.
 */
const CARDS = `
insert into cards (id, type, subtype, name, name_key, description, parent_id, path_ids, lifecycle, attributes, status, approval_status, data_quality, open_quality,
    external_id, alias, search_name, search_text, created_by, updated_by, edited_by, archived_at, created_at, updated_at, version)
  select pg_temp.made_id(1, n), type, case when type = 'Application' then 'businessApplication' end, name, name, description, parent, case when parent is null then '{}' else array[parent] end,
    jsonb_build_object('plan', to_char(created, 'YYYY-MM-DD'), 'active', '2024-01-01'),
    jsonb_strip_nulls(jsonb_build_object('productName', 'Product ' || md5(n::text), 'numberOfUsers', n % 1000, 'costTotalAnnual', case when n % 3 = 0 then n * 10 end,
      'hostingType', (array['onPremise', 'saas', 'paas'])[1 + n % 3], 'places', jsonb_build_array(n % 7, n % 11), 'remarks', repeat(md5((n + 1)::text) || ' ', 1 + (n % 4)::int))),
    case when archived then 'ARCHIVED' else 'ACTIVE' end, (array['DRAFT', 'APPROVED', 'BROKEN', 'REJECTED'])[1 + n % 4], n % 1000 / 10.0, n % 900 / 10.0,
    case when n % 2 = 0 then 'external-' || n end, case when n % 5 = 1 then 'alias ' || n end, name, name || ' ' || description,
    pg_temp.made_id(9, n % 50), pg_temp.made_id(9, n % 60), case when n % 4 > 0 then pg_temp.made_id(9, n % 60) end,
    case when archived then created + versions * interval '1 day' end, created, created + versions * interval '1 day', versions
  from (select n, (array['Application', 'Application', 'Application', 'Application', 'Application', 'ITComponent', 'ITComponent', 'BusinessCapability', 'BusinessCapability', 'Interface'])[1 + n % 10] as type,
      'card ' || md5((n % 5000)::text) || ' ' || n as name, 'described as ' || md5((n * 7)::text) || ' and ' || md5((n % 300)::text) as description,
      case when n % 10 in (7, 8) and n % 100 <> 7 then pg_temp.made_id(1, n - n % 100 + 7) end as parent, n % 100 = 1 as archived,
      timestamptz '2024-01-01 00:00Z' + n * interval '1 second' as created, (case when n % 5 = 0 then 2 + n / 5 % 5 else 1 end)::int as versions
    from generate_series(0, $1::bigint - 1) n) made`;

/** Two relations of each application, to IT components; of an archived one they are hidden. */
const RELATIONS = `
insert into relations (id, type, source_id, target_id, source_type, target_type, rule_source, rule_target, one_source, one_target, allow_self, attributes, description, valid_from,
    created_by, updated_by, created_at, updated_at, version, source_status)
  select pg_temp.made_id(2, n * 10 + k), t.key, pg_temp.made_id(1, n), pg_temp.made_id(1, (n * 7919 % ($1::bigint / 10)) * 10 + k), t.source_type, t.target_type, t.source_type, t.target_type,
    t.one_source, t.one_target, t.allow_self, jsonb_build_object('costTotalAnnual', n), case when n % 10 = 0 then 'version 2' end, date '2024-01-01' + (n % 300)::int,
    pg_temp.made_id(9, 1), pg_temp.made_id(9, 2), timestamptz '2025-01-01Z', timestamptz '2025-01-01Z' + case when n % 10 = 0 then interval '1 day' else interval '0' end,
    case when n % 10 = 0 then 2 else 1 end, case when n % 100 = 1 then 'ARCHIVED' else 'ACTIVE' end
  from generate_series(0, $1::bigint - 1) n, generate_series(5, 6) k, relation_types t where n % 10 < 5 and t.key = 'applicationToITComponent'`;

/** The state of version `k` of a card with document `doc`; of the last one, the document itself. */
const OLDER = `case when k = last then doc else doc || jsonb_build_object('version', k, 'updated_at', valid_from, 'name', (doc->>'name') || ' ' || k,
      'description', case when k % 2 = 0 then null else 'as of version ' || k end, 'lifecycle', (doc->'lifecycle') - 'active' || jsonb_build_object('phaseOut', '203' || k || '-01-01'),
      'attributes', (doc->'attributes') - 'costTotalAnnual' || jsonb_build_object('numberOfUsers', k) || case when k % 2 = 0 then jsonb_build_object('removed', jsonb_build_object('in', k)) else '{}' end) end`;
const CARD_VERSIONS = `
insert into card_versions (id, version, valid_from, valid_to, doc, change_id, metamodel_revision)
  select id, k, valid_from, case when k < last then valid_from + interval '1 day' end, ${OLDER}, pg_temp.made_id(3, 1), 1
  from (select c.id, k, c.version as last, c.created_at + k * interval '1 day' as valid_from, to_jsonb(c) - '{name_key,search_name,search_text,words,edited_by}'::text[] as doc
    from cards c, generate_series(1, c.version) k) v`;
/** Versions of deleted cards: one for each fifty that there are. */
const DELETED_CARDS = `
insert into card_versions (id, version, valid_from, valid_to, doc, change_id, metamodel_revision)
  select id, k, valid_from, valid_from + interval '1 day', ${OLDER}, pg_temp.made_id(3, 1), 1
  from (select g.id, k, c.version as last, c.created_at + k * interval '1 day' as valid_from,
      (to_jsonb(c) - '{name_key,search_name,search_text,words,edited_by}'::text[]) || jsonb_build_object('id', g.id) as doc
    from generate_series(0, $1::bigint - 1, 50) n, lateral (select pg_temp.made_id(4, n) as id) g, cards c, generate_series(1, c.version) k where c.id = pg_temp.made_id(1, n)) v`;
const RELATION_VERSIONS = `
insert into relation_versions (id, version, valid_from, valid_to, doc, change_id, metamodel_revision)
  select r.id, k, r.created_at + (k - 1) * interval '1 day', case when k < r.version then r.updated_at end,
    to_jsonb(r) - '{source_type,target_type,rule_source,rule_target,one_source,one_target,allow_self,source_status,target_status,hidden}'::text[]
      || case when k < r.version then jsonb_build_object('description', 'version 1', 'version', 1, 'attributes', jsonb_build_object('old', k)) else '{}' end, pg_temp.made_id(3, 1), 1
  from relations r, generate_series(1, r.version) k`;
const DELETED_RELATIONS = `
insert into relation_versions (id, version, valid_from, valid_to, doc, change_id, metamodel_revision)
  select g.id, v.version, v.valid_from, coalesce(v.valid_to, v.valid_from + interval '1 day'), v.doc || jsonb_build_object('id', g.id), v.change_id, v.metamodel_revision
  from generate_series(0, $1::bigint - 1, 100) n, lateral (select pg_temp.made_id(5, n) as id) g, relation_versions v where v.id = pg_temp.made_id(2, n * 10 + 5)`;
const COUNTS = `insert into card_counts (type, status, approval_status, n) select type, status, approval_status, count(*) from cards group by 1, 2, 3`;

/**
 * Fills an empty database with the schema up to migration 0026: cards with their trees, versions and relations, and versions
 * of deleted ones. The indexes are created afterwards, and foreign keys are not checked: the rows satisfy them.
 * @param cards a multiple of 100
 */
export async function fillInventory(client: pg.Client, cards: number): Promise<void> {
  await client.query(
    `set session_replication_role = replica; set maintenance_work_mem = '512MB'; set work_mem = '128MB'`,
  );
  await client.query(TYPES, [JSON.stringify(defaultCardTypes)]);
  await client.query(RELATION_TYPES, [JSON.stringify(defaultRelationTypes)]);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indrelid in ('cards'::regclass, 'relations'::regclass, 'card_versions'::regclass) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query(IDS);
  await client.query(CARDS, [cards]);
  await client.query('analyze cards');
  await client.query(RELATIONS, [cards]);
  await client.query(CARD_VERSIONS);
  await client.query(DELETED_CARDS, [cards]);
  await client.query(RELATION_VERSIONS);
  await client.query('analyze relation_versions');
  await client.query(DELETED_RELATIONS, [cards]);
  await client.query(COUNTS);
  for (const { definition } of indexes) await client.query(definition);
  await client.query('analyze');
  await client.query('checkpoint');
}
