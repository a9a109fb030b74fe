import type pg from 'pg';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { uuidv7 } from '../../core/foundation/ids.js';
import { nameKey, searchFold } from '../../core/foundation/text.js';
import { Forest } from './cards.js';
import { connect } from './connect.js';
import { chunked, copyIn, copyLine } from './copy.js';
import type { Scale } from './options.js';
import { relationsOf } from './relations.js';
import { existing, rowSource } from './schema.js';
import { randomNumbers, weighted } from './words.js';

/** The data that `fill` stored, as far as sections use it. */
export interface Filled {
  /** Ids of active cards, sampled evenly. */
  ids: string[];
  active: number;
  relations: number;
}

const SAMPLED = 5_000;
const DAY_MS = 86_400_000;
const drawApproval = weighted(['DRAFT', 'APPROVED', 'BROKEN', 'REJECTED'], (i) => [60, 25, 10, 5][i]!);

const CARD_COLUMNS = `id, type, subtype, name, name_key, description, parent_id, path_ids, lifecycle, attributes, status, approval_status, data_quality,
  search_name, search_text, created_by, updated_by, archived_at, created_at, updated_at, version`;
/** One row per card arrives with all columns; each table takes its own. */
const staged = (source: string): string => `create temp table filled as select * from ${source} limit 0`;
/** The tables that rows of cards are divided over. A version of the schema may lack one; its columns are then in the first. */
const CARD_TABLES = ['cards', 'card_contents'];
const OWN_COLUMNS = `select string_agg(quote_ident(attname), ', ' order by attnum) as list from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname = any(string_to_array($2, ', '))`;
const RELATION_COLUMNS = `id, type, source_id, target_id, source_type, target_type, rule_source, rule_target, one_source, one_target, allow_self, created_by,
  updated_by, created_at, updated_at, version`;
const AFTER_CARDS = `
insert into card_versions (id, version, at, change_id, metamodel_revision)
  select id, version, updated_at, $1, (select revision from revisions where kind = 'metamodel') from filled`;
const AFTER_RELATIONS = `
insert into relation_versions (id, version, at, change_id, metamodel_revision)
  select id, version, updated_at, $1, (select revision from revisions where kind = 'metamodel') from relations`;
const COUNTS = `insert into card_counts (type, status, approval_status, n) select type, status, approval_status, count(*) from cards group by 1, 2, 3`;

/**
 * Fills an empty inventory directly in the database, because writing it by the service takes too long: COPY without indexes and
 * without foreign keys, which the generated rows satisfy, then the first versions, the indexes and the statistics.
 * @param author id of the user stored as creator
 */
export async function fill(database: DatabaseConnection, scale: Scale, author: string): Promise<Filled> {
  const client = await connect(database);
  try {
    await client.query(
      `set session_replication_role = replica; set maintenance_work_mem = '512MB'; set synchronous_commit = off`,
    );
    const tables = await existing(client, CARD_TABLES);
    const indexes = await dropIndexes(client, [...tables, 'relations']);
    const change = uuidv7();
    await client.query(
      `insert into changes (id, kind, actor, origin, at) values ($1, 'import', $2, 'bench', clock_timestamp())`,
      [change, author],
    );
    const filler = new Filler(scale, author);
    await client.query(staged(await rowSource(client)));
    await copyIn(client, `copy filled (${CARD_COLUMNS}) from stdin`, chunked(filler.cards()));
    for (const table of tables) {
      const { rows } = await client.query<{ list: string }>(OWN_COLUMNS, [table, CARD_COLUMNS.replaceAll(/\s+/g, ' ')]);
      await client.query(`insert into ${table} (${rows[0]!.list}) select ${rows[0]!.list} from filled`);
    }
    await copyIn(client, `copy relations (${RELATION_COLUMNS}) from stdin`, chunked(filler.relations()));
    await client.query(AFTER_CARDS, [change]);
    await client.query(AFTER_RELATIONS, [change]);
    await client.query(COUNTS);
    for (const index of indexes) await client.query(index);
    await client.query('drop table filled');
    await client.query(
      `vacuum analyze ${[...tables, 'card_versions', 'card_counts', 'relations', 'relation_versions'].join(', ')}`,
    );
    await client.query('checkpoint');
    return filler.filled();
  } finally {
    await client.end();
  }
}

/** @returns the statements that create the dropped indexes again */
async function dropIndexes(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map((row) => row.definition);
}

class Filler {
  private readonly random = randomNumbers(20_260_101);
  private readonly byType = new Map<string, string[]>();
  private relationCount = 0;

  constructor(
    private readonly scale: Scale,
    private readonly author: string,
  ) {}

  *cards(): Generator<string> {
    const { random, author, scale } = this;
    const forest = new Forest(random, scale.cards);
    const began = Date.now() - 730 * DAY_MS;
    for (let n = 0; n < scale.cards; n++) {
      const { id, type, subtype, name, description, attributes, lifecycle, path, isLeaf } = forest.next();
      const created = began + Math.floor((n / scale.cards) * 365 * DAY_MS);
      const updated = created + Math.floor(random() * 365 * DAY_MS);
      // An archived card has no children.
      const isArchived = isLeaf && random() < 0.03;
      if (!isArchived) this.keep(type, id);
      const at = new Date(updated).toISOString();
      yield copyLine([
        id,
        type,
        subtype,
        name,
        nameKey(name),
        description,
        path.at(-1) ?? null,
        `{${path.join(',')}}`,
        JSON.stringify(lifecycle),
        JSON.stringify(attributes),
        isArchived ? 'ARCHIVED' : 'ACTIVE',
        drawApproval(random),
        (random() * 100).toFixed(1),
        searchFold(name),
        searchFold(`${name} ${description}`),
        author,
        author,
        isArchived ? at : null,
        new Date(created).toISOString(),
        at,
        1,
      ]);
    }
  }

  *relations(): Generator<string> {
    const at = new Date().toISOString();
    for (const [type, ids] of this.byType) {
      for (const id of ids) {
        for (const r of relationsOf({ id, type }, this.scale.relationsPerCard, this.byType, this.random)) {
          this.relationCount++;
          const { key, source_type, target_type, cardinality, allow_self } = r.type;
          yield copyLine([
            r.id,
            key,
            id,
            r.target.id,
            type,
            r.target.type,
            source_type,
            target_type,
            cardinality !== 'n:m',
            cardinality === '1:1',
            allow_self,
            this.author,
            this.author,
            at,
            at,
            1,
          ]);
        }
      }
    }
  }

  filled(): Filled {
    const ids = [...this.byType.values()].flat();
    const step = Math.max(1, Math.floor(ids.length / SAMPLED));
    return { ids: ids.filter((_, i) => i % step === 0), active: ids.length, relations: this.relationCount };
  }

  private keep(type: string, id: string): void {
    const ids = this.byType.get(type);
    if (ids) ids.push(id);
    else this.byType.set(type, [id]);
  }
}
