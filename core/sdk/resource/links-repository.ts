import type { Statement, UnitOfWork } from '../services.js';
import type { Column } from './columns.js';

/** A link of a resource with a card; other members are declared by the module. */
export type Link = Record<string, unknown> & { card_id: string };

/** The SQL of the links of one resource with cards; its identifiers were checked when it was declared. */
export class LinkRepository {
  /** SQL of the links of a resource `r` as JSON, for a select list. */
  readonly selected: string;
  private readonly sql: { of: Statement; put: Statement; remove: Statement };

  /** @param members columns besides `card_id` */
  constructor(
    private readonly table: string,
    private readonly owner: string,
    members: readonly Column[],
  ) {
    const names = ['card_id', ...members.map(({ column }) => column)];
    const built = names.map((name) => `'${name}', c.${name}`).join(', ');
    this.selected = `coalesce((select jsonb_agg(jsonb_build_object(${built}) order by c.card_id) from ${table} c where c.${owner} = r.id), '[]')`;
    const types = [`${owner} uuid`, 'card_id uuid', ...members.map(({ column, type }) => `${column} ${type}`)].join(
      ', ',
    );
    const statement = (name: string, text: string): Statement => ({ name: `${table}-${name}`, text });
    this.sql = {
      of: statement(
        'of',
        `select c.${owner} as _owner, jsonb_build_object(${built}) as link from ${table} c where c.${owner} = any($1::uuid[]) order by c.card_id`,
      ),
      put: statement(
        'put',
        `insert into ${table} (${owner}, ${names.join(', ')}) select n.${owner}, ${names.map((name) => `n.${name}`).join(', ')} from jsonb_to_recordset($1::jsonb) as n(${types})
        on conflict (${owner}, card_id) do ${members.length === 0 ? 'nothing' : `update set ${members.map(({ column }) => `${column} = excluded.${column}`).join(', ')}`}`,
      ),
      remove: statement(
        'remove',
        `delete from ${table} c using jsonb_to_recordset($1::jsonb) as n(${owner} uuid, card_id uuid) where c.${owner} = n.${owner} and c.card_id = n.card_id`,
      ),
    };
  }

  /**
   * Reads the links of locked resources. It must be a statement after the lock: only then its snapshot has the links that were
   * committed during the wait for the lock.
   * @returns links by the id of their resource, in order of the cards
   */
  async of(uow: UnitOfWork, ids: readonly string[]): Promise<Map<string, Link[]>> {
    const by = new Map<string, Link[]>();
    for (const { _owner, link } of await uow.query<{ _owner: string; link: Link }>(this.sql.of, [ids])) {
      const links = by.get(_owner);
      if (links) links.push(link);
      else by.set(_owner, [link]);
    }
    return by;
  }

  /**
   * Writes changed links, in at most two statements.
   * @param put links to insert or update, each with the id of its resource
   * @param gone links to delete, each with the id of its resource
   */
  async write(
    uow: UnitOfWork,
    put: readonly { id: string; link: Link }[],
    gone: readonly { id: string; card_id: string }[],
  ): Promise<void> {
    if (gone.length > 0)
      await uow.query(this.sql.remove, [
        JSON.stringify(gone.map(({ id, card_id }) => ({ [this.owner]: id, card_id }))),
      ]);
    if (put.length > 0)
      await uow.query(this.sql.put, [JSON.stringify(put.map(({ id, link }) => ({ [this.owner]: id, ...link })))]);
  }

  /** SQL condition that a resource `r` has a link that satisfies conditions over the alias `c`. */
  exists(conditions: readonly string[]): string {
    return `exists (select from ${this.table} c where ${[`c.${this.owner} = r.id`, ...conditions].join(' and ')})`;
  }
}
