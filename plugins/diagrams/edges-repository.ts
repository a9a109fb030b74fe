/**
 * Edges between cards in versions. A version has up to 10,000 shapes and as many edges as JSON: the database joins them, so that the
 * service parses none of it at once, and gets only the edges that the caller may be told of.
 */
import type { Bindings, ModuleServices, RequestContext } from '@lintel/sdk';

type Host = Pick<ModuleServices, 'db' | 'cards'>;

/** A version, and those of its cards that the caller does not see. */
export interface SeenVersion {
  id: string;
  number: number;
  hidden: ReadonlySet<string>;
}

/** An edge between two cards that the caller sees. */
export interface CardEdge extends Record<string, unknown> {
  page: number;
  cell: string;
  label: string;
  source: string;
  target: string;
  /** Neither of the cards is archived. */
  is_active: boolean;
}

/** Edges that say the same and are in one of two versions only. */
export interface OneSidedEdge extends Record<string, unknown> {
  side: number;
  source: string;
  target: string;
  type: string | null;
  relation: string | null;
  label: string;
  cells: string[];
}

/** A card with shapes in one of two versions only. */
export interface OneSidedCard extends Record<string, unknown> {
  side: number;
  id: string;
}

/** Builds the parts of a statement about versions as a caller sees them. */
class VersionSql {
  readonly bindings: Bindings;
  readonly bind = (value: unknown): string => this.bindings.add(value);

  constructor(
    private readonly host: Host,
    private readonly ctx: RequestContext,
  ) {
    this.bindings = host.db.bindings();
  }

  private rows(column: 'shapes' | 'links', { id, number }: SeenVersion, columns: string): string {
    const names = columns.replaceAll(/ (integer|text|uuid|jsonb)/g, '');
    return `diagrams_versions v, rows from (jsonb_to_recordset(v.${column}) as (${columns})) with ordinality as j(${names}, n)
      where v.diagram_id = ${this.bind(id)} and v.number = ${this.bind(number)}`;
  }

  /** The cards of shapes that the caller sees, by place: of cells with the same id, the last one counts. */
  shapes(version: SeenVersion): string {
    return `select s.page, s.cell, s.card, c.status from (
        select distinct on (j.page, j.cell) j.page, j.cell, j.card from ${this.rows('shapes', version, 'page integer, cell text, card uuid')}
        order by j.page, j.cell, j.n desc
      ) s join ${this.host.cards.visibleCards(this.ctx, this.bind)} c on c.id = s.card`;
  }

  /** Edges as `isTold`. @param shapes name of what `shapes` selects */
  edges(version: SeenVersion, shapes: string): string {
    const columns =
      'page integer, cell text, source text, target text, relation text, type text, label text, cards jsonb';
    const told =
      version.hidden.size === 0
        ? ''
        : `and jsonb_typeof(l.cards) = 'array' and not l.cards ?| ${this.bind([...version.hidden])}::text[]`;
    return `select l.n, l.page, l.cell, l.label, l.type, l.relation, a.card as source, b.card as target,
        a.status = 'ACTIVE' and b.status = 'ACTIVE' as is_active
      from (select j.* from ${this.rows('links', version, columns)}) l
      join ${shapes} a on a.page = l.page and a.cell = l.source join ${shapes} b on b.page = l.page and b.cell = l.target
      where true ${told}`;
  }
}

/** The edges of a version between different cards, in the order of its file. */
export async function readEdges(host: Host, ctx: RequestContext, version: SeenVersion): Promise<CardEdge[]> {
  const sql = new VersionSql(host, ctx);
  const text = `with shapes as materialized (${sql.shapes(version)})
    select e.page, e.cell, e.label, e.source, e.target, e.is_active from (${sql.edges(version, 'shapes')}) e
    where e.source <> e.target order by e.n`;
  return await host.db.query<CardEdge>({ name: 'diagrams-edges', text }, sql.bindings.values);
}

/** The number of a side is its place in `sides`, from 1. */
const both = (sides: readonly [SeenVersion, SeenVersion], select: (version: SeenVersion, side: number) => string) =>
  sides.map((version, i) => `select ${i + 1} as side, x.* from (${select(version, i + 1)}) x`).join(' union all ');

/** What is in one of two versions only. @param most of each version */
export async function readOneSided(
  host: Host,
  ctx: RequestContext,
  sides: readonly [SeenVersion, SeenVersion],
  most: number,
): Promise<{ edges: OneSidedEdge[]; cards: OneSidedCard[] }> {
  const ofEdges = new VersionSql(host, ctx);
  const shapes = sides.map((version, i) => `shapes${i + 1} as materialized (${ofEdges.shapes(version)})`);
  const edges = await host.db.query<OneSidedEdge>(
    {
      name: 'diagrams-edges-one-sided',
      text: `with ${shapes.join(', ')} select d.* from (
          select min(e.side) as side, e.source, e.target, e.type, e.relation, (array_agg(e.label order by e.n))[1] as label,
            json_agg(e.cell order by e.n) as cells, row_number() over (partition by min(e.side) order by min(e.n)) as place
          from (${both(sides, (version, side) => ofEdges.edges(version, `shapes${side}`))}) e
          group by e.source, e.target, e.type, e.relation having min(e.side) = max(e.side)
        ) d where d.place <= ${ofEdges.bind(most)} order by d.side, d.place`,
    },
    ofEdges.bindings.values,
  );
  const ofCards = new VersionSql(host, ctx);
  const found = both(sides, (version) => ofCards.shapes(version));
  const cards = await host.db.query<OneSidedCard>(
    {
      name: 'diagrams-cards-one-sided',
      text: `select d.side, d.id from (
          select s.side, c.id, row_number() over (partition by s.side order by c.name, c.id) as place
          from (select min(f.side) as side, f.card from (${found}) f group by f.card having min(f.side) = max(f.side)) s
          join cards c on c.id = s.card
        ) d where d.place <= ${ofCards.bind(most)}`,
    },
    ofCards.bindings.values,
  );
  return { edges, cards };
}
