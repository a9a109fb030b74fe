import type { Database, Statement } from '../../../foundation/db/database.js';
import { named } from '../../../foundation/db/list-query.js';
import { needsRolesAbove, hidesCards, inheritsCostsBy, rolesAboveSql } from '../../access/index.js';
import {
  fullStatement,
  keysOnlyStatement,
  PART,
  ROW,
  ROWS_BY_ID,
  ROWS_WITH_ROLES,
  rowsStatement,
  STAMPS_BY_ID,
  STAMPS_WITH_ROLES,
  type CardPage,
} from './page-repository.js';
import type { RowView } from './row-cache.js';
import { cardJson, shownTo, type CardJson, type Reader } from './view.js';
import { VIEW_COLUMNS, VIEW_WIDTH } from './view-repository.js';

type Row = (string | null)[];
/** A boolean concatenated with text. */
const TRUE = 'true';

/** A card requested by one reader. */
export interface RequestedCard {
  id: string;
  reader: Reader;
  /** Whether an inherited role above the card permits the reader to see its costs; read with the card where absent. */
  inheritsCosts?: boolean;
}

/** The cards of a page. */
interface PageHits {
  /** Number of hits; one more than the counting limit where there are more. Undefined where they were not counted. */
  total: number | undefined;
  /** Ids in order, including one more where there is a next page. */
  ids: readonly string[];
  /** Sort value of the last card shown; only meaningful where there is a next page. */
  last: string | null;
}

/** A page with the views of its cards for the reader. */
export interface PageRows extends PageHits {
  views: readonly RowView[];
}

/** Reads views of cards for a reader. */
export interface RowReader {
  /** @returns the page, from one snapshot */
  page(page: CardPage, reader: Reader): Promise<PageRows>;
  /**
   * @returns the cards in the order of the request; undefined where a card does not exist or is hidden from the reader
   */
  cards(requested: readonly RequestedCard[]): Promise<(RowView | undefined)[]>;
}

/**
 * A card of a page without its row: id, row version, the parts of the view outside the row, and whether a role above
 * permits viewing its costs.
 */
export interface KeyRow {
  id: string;
  stamp: string;
  relatedJson: string;
  inheritsCosts: boolean;
}

/** Reads rows of cards from the database, without cache. */
export class DatabaseRows implements RowReader {
  constructor(private readonly db: Pick<Database, 'rows'>) {}

  async page(page: CardPage, reader: Reader): Promise<PageRows> {
    const rows = await this.db.rows(named(fullStatement(page)), page.bindings.values);
    const total = totalOf(rows[0]![VIEW_WIDTH + 2]!);
    const cards = rows.filter((row) => row[0] !== null);
    const shown = cards.slice(0, page.keys.page_size);
    return {
      total,
      ids: cards.map((row) => row[0]!),
      last: shown.at(-1)?.[VIEW_WIDTH + 1] ?? null,
      views: shown.map((row) => viewOf(row, reader, row[VIEW_WIDTH + 3] === 't')),
    };
  }

  /**
   * Reads the cards of all readers without hidden types with one statement, and those of each other reader with a
   * separate one.
   */
  async cards(requested: readonly RequestedCard[]): Promise<(RowView | undefined)[]> {
    const found: (RowView | undefined)[] = [];
    const shared = requested.filter(({ reader: { visibility } }) => !hidesCards(visibility));
    const rows = new Map((await this.shared(ROWS_BY_ID, ROWS_WITH_ROLES, shared)).map((row) => [row[0]!, row]));
    const own = new Map<Reader, Map<string, Row>>();
    for (const reader of new Set(requested.map((one) => one.reader).filter(({ visibility }) => hidesCards(visibility))))
      own.set(
        reader,
        await this.ownRows(
          requested.flatMap((one) => (one.reader === reader ? [one.id] : [])),
          reader,
        ),
      );
    for (const [i, { id, reader, inheritsCosts }] of requested.entries()) {
      const row = (own.get(reader) ?? rows).get(id);
      found[i] = row && viewOf(row, reader, inheritsCosts ?? inheritsCostsBy(reader.visibility, row[VIEW_WIDTH + 1]));
    }
    return found;
  }

  /** @returns the cards of a page with their row versions, from one statement */
  async keys(page: CardPage): Promise<Omit<PageHits, 'ids'> & { rows: KeyRow[] }> {
    const [row] = await this.db.rows(named(keysOnlyStatement(page)), page.bindings.values);
    const [total, last, text] = row as [string | null, string | null, string | null];
    return { total: totalOf(total), last, rows: text === null ? [] : text.split(ROW).map(keyRowOf) };
  }

  /**
   * Reads the row versions of cards, for readers without hidden types, with one statement.
   * @returns in the order of the request; undefined where the card does not exist
   */
  async stamps(requested: readonly RequestedCard[]): Promise<(KeyRow | undefined)[]> {
    const rows = new Map((await this.shared(STAMPS_BY_ID, STAMPS_WITH_ROLES, requested)).map((row) => [row[0]!, row]));
    return requested.map(({ id, reader: { visibility } }) => {
      const row = rows.get(id);
      return row && { id, stamp: row[1]!, relatedJson: row[2]!, inheritsCosts: inheritsCostsBy(visibility, row[3]) };
    });
  }

  /** Roles above a card are read only for readers whose roles can permit viewing costs. */
  private async shared(plain: Statement, withRoles: Statement, requested: readonly RequestedCard[]): Promise<Row[]> {
    if (requested.length === 0) return [];
    const ids = [...new Set(requested.map(({ id }) => id))];
    const users = [
      ...new Set(
        requested.flatMap(({ reader: { visibility }, inheritsCosts }) =>
          inheritsCosts === undefined && needsRolesAbove(visibility) ? [visibility.me!] : [],
        ),
      ),
    ];
    return users.length === 0 ? await this.db.rows(plain, [ids]) : await this.db.rows(withRoles, [ids, users]);
  }

  private async ownRows(ids: readonly string[], { visibility }: Reader): Promise<Map<string, Row>> {
    const { text, values } = rowsStatement(ids, visibility);
    return new Map((await this.db.rows(named(text), values)).map((row) => [row[0]!, row]));
  }
}

const totalOf = (text: string | null): number | undefined => (text === null ? undefined : Number(text));

function keyRowOf(text: string): KeyRow {
  const [id, stamp, relatedJson, inheritsCosts] = text.split(PART) as [string, string, string, string?];
  return { id, stamp, relatedJson, inheritsCosts: inheritsCosts === TRUE };
}

function viewOf(row: Row, reader: Reader, inheritsCosts: boolean): RowView {
  const [id, type] = row as [string, string];
  const { json, ...rest } = cardJson(row, reader, inheritsCosts);
  return {
    ...rest,
    bytes: Buffer.from(json),
    id,
    type,
    stamp: row[VIEW_WIDTH]!,
    shown: shownTo(reader, type, rest.relatedJson, inheritsCosts),
    day: reader.today,
    revision: reader.metamodel.revision,
  };
}

const GET = { name: 'card-get', text: `select ${VIEW_COLUMNS} from card_rows c where c.id = $1` };
const GET_WITH_ROLES = {
  name: 'card-get-roles',
  text: `select ${VIEW_COLUMNS}, ${rolesAboveSql('$2')} from card_rows c where c.id = $1`,
};

/**
 * Reads one card within a unit of work, including its uncommitted changes.
 * @returns undefined where the card does not exist or is hidden from the reader
 */
export async function getCard(db: Pick<Database, 'rows'>, id: string, reader: Reader): Promise<CardJson | undefined> {
  const { visibility } = reader;
  const own = hidesCards(visibility) ? rowsStatement([id], visibility) : undefined;
  const [row] = own
    ? await db.rows(named(own.text), own.values)
    : needsRolesAbove(visibility)
      ? await db.rows(GET_WITH_ROLES, [id, [visibility.me]])
      : await db.rows(GET, [id]);
  return row && cardJson(row, reader, inheritsCostsBy(visibility, row[VIEW_WIDTH + (own ? 1 : 0)]));
}
