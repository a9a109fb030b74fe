import { isDeepStrictEqual } from 'node:util';
import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import type { RequestContext } from '../context.js';
import { splitValues } from '../lists-of-values.js';
import type { CardRef } from '../ports.js';
import type { FieldError } from '../problem.js';
import { Strict, Uuid } from '../schemas.js';
import type { ModuleServices } from '../services.js';
import { columnOf, normal, type Column } from './columns.js';
import { valuesOf, type Condition } from './filters.js';
import { LinkRepository, type Link } from './links-repository.js';
import type { AnySpec, Values } from './spec.js';

export type { Link } from './links-repository.js';

/**
 * A field that references cards, each once, with further members of the link; see `links` of `ResourceSpec`.
 * @param members other members of a link, such as a role, in columns of their names; nullable members and those with a default are
 * optional
 * @param options `maxItems` (default: 500) and other keywords of the list
 */
export const LinkedCards = <M extends TProperties>(members: M, options: Record<string, unknown> = {}) =>
  Type.Array(Strict({ card_id: Uuid(), ...optionalMembers(members) }), { maxItems: 500, default: [], ...options });

/** Makes members with a default or null optional in requests; their type remains that of a stored link. */
const optionalMembers = <M extends TProperties>(members: M): M =>
  Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [
      name,
      columnOf(name, schema).initial === undefined ? schema : Type.Optional(schema),
    ]),
  ) as M;

/** A link in the view, with its card. */
export type LinkedCard<L> = L & { card: CardRef };

const Card = Type.Object({
  id: Uuid(),
  type: Type.String(),
  name: Type.String(),
  status: Type.String({ enum: ['ACTIVE', 'ARCHIVED'] }),
});

/** Links of a resource that differ between two of its states. */
export interface MovedLinks {
  put: Link[];
  gone: string[];
}

/** The field of a resource whose cards are in a separate table. */
export class Links {
  readonly field: string;
  readonly permission: string | undefined;
  readonly rows: LinkRepository;
  /** Schema of the field as it is shown. */
  readonly view: TSchema;
  private readonly members: readonly Column[];
  private readonly most: number;

  constructor(fields: TProperties, { field, table, owner, permission }: NonNullable<AnySpec['links']>) {
    const schema = fields[field] as unknown as {
      items: { properties: TProperties };
      maxItems?: number;
      description?: string;
    };
    const { card_id: _card, ...members } = schema.items.properties;
    this.field = field;
    this.permission = permission;
    this.most = schema.maxItems ?? 500;
    this.members = Object.entries(members).map(([name, member]) => columnOf(name, member));
    this.rows = new LinkRepository(table, owner, this.members);
    this.view = Type.Array(Type.Object({ card_id: Uuid(), ...members, card: Card }), {
      description: 'The links with cards visible to the caller.',
    });
  }

  /** Names of the table and columns of links, to be checked. @throws if the field is not `LinkedCards` */
  static identifiers({ links, fields }: AnySpec): string[] {
    if (!links) return [];
    const { items } = fields[links.field] as { items?: { properties?: TProperties } };
    if (!items?.properties?.['card_id']) throw new Error(`the field ${links.field} is not LinkedCards`);
    return [links.table, links.owner, ...Object.keys(items.properties)];
  }

  /** Filters by linked cards: `card_id`, and `card_<member>` for each member with an `enum`. */
  filters(): { schemas: TProperties; condition: Condition } {
    const listed = this.members.flatMap((member) => {
      const values = valuesOf(member.schema);
      return values && member.type === 'text' ? [{ ...member, values, name: `card_${member.name}` }] : [];
    });
    const schemas = Object.fromEntries(
      listed.map(({ name, values }) => [
        name,
        Type.Optional(
          Type.String({
            maxLength: 2_000,
            pattern: `^(${values.join('|')})(,(${values.join('|')}))*$`,
            description: `Of that card, or of some card. Any of these by comma: ${values.join(', ')}.`,
          }),
        ),
      ]),
    );
    return {
      schemas: { card_id: Type.Optional(Uuid({ description: 'A linked card.' })), ...schemas },
      condition: (query, bindings, { ctx, host }) => {
        const requested = listed.filter(({ name }) => query[name] !== undefined);
        if (query['card_id'] === undefined && requested.length === 0) return [];
        return [
          this.rows.exists([
            ...(query['card_id'] === undefined ? [] : [`c.card_id = ${bindings.add(query['card_id'])}::uuid`]),
            ...requested.map(
              ({ name, column }) => `c.${column} = any(${bindings.add(splitValues(String(query[name])))}::text[])`,
            ),
            host.cards.visibleSql(ctx, 'c.card_id', (value) => bindings.add(value)),
          ]),
        ];
      },
    };
  }

  /** The links of a resource. */
  of(row: Values): Link[] {
    return (row[this.field] as Link[] | undefined) ?? [];
  }

  /** Links with normalised values, in order of their cards. */
  normal(value: unknown): Link[] {
    return (value as Link[])
      .map((link) => ({
        card_id: link.card_id.toLowerCase(),
        ...(Object.fromEntries(
          this.members.map((member) => [
            member.name,
            normal(member, link[member.name] ?? structuredClone(member.initial)),
          ]),
        ) as Values),
      }))
      .sort((a, b) => (a.card_id < b.card_id ? -1 : 1));
  }

  /**
   * The errors of links sent by a caller.
   * @param links as they were sent
   * @param isVisible whether a card is visible to the caller
   */
  faults(links: readonly Link[], isVisible: (id: string) => boolean): Omit<FieldError, 'in'>[] {
    const seen = new Set<string>();
    return links.flatMap(({ card_id }, i) => {
      const id = card_id.toLowerCase();
      const field = `/${this.field}/${i}/card_id`;
      if (seen.has(id)) return [{ field, reason: 'is already linked' }];
      seen.add(id);
      return isVisible(id) ? [] : [{ field, reason: 'names no card' }];
    });
  }

  /** The error of a resource that would have more links than the maximum. */
  tooMany(links: readonly Link[]): Omit<FieldError, 'in'>[] {
    return links.length > this.most ? [{ field: `/${this.field}`, reason: `has more than ${this.most} cards` }] : [];
  }

  /** Created, removed and changed links. */
  moved(before: Values | undefined, after: Values | undefined): MovedLinks {
    const old = new Map((before ? this.of(before) : []).map((link) => [link.card_id, link]));
    const now = new Map((after ? this.of(after) : []).map((link) => [link.card_id, link]));
    return {
      put: [...now.values()].filter((link) => !isDeepStrictEqual(old.get(link.card_id), link)),
      gone: [...old.keys()].filter((id) => !now.has(id)),
    };
  }

  /** The links of resources visible to the caller, by index; in one statement for all. */
  async shown(host: ModuleServices, ctx: RequestContext, rows: readonly Values[]): Promise<LinkedCard<Link>[][]> {
    const ids = [...new Set(rows.flatMap((row) => this.of(row).map(({ card_id }) => card_id)))];
    const cards = ids.length > 0 ? await host.cards.find(ctx, ids) : new Map<string, CardRef>();
    return rows.map((row) =>
      this.of(row).flatMap((link) => {
        const card = cards.get(link.card_id);
        return card ? [{ ...link, card: { id: card.id, type: card.type, name: card.name, status: card.status } }] : [];
      }),
    );
  }
}

/** An example of the view of links, from one of a body. */
export const shownExample = (links: unknown): unknown =>
  (links as Static<ReturnType<typeof LinkedCards>>).map((link) => ({
    ...link,
    card: { id: link.card_id, type: 'Application', name: 'Billing', status: 'ACTIVE' },
  }));
