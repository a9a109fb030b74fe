/** What reports about relations must tell apart, in addition to the landscape: trees of several types, and relations of any. */
import { expectStatus, makeUser, type Session } from '../../../test/support/app.js';
import { fill, type Landscape } from './landscape.js';
import { allCards, allRelations, type Card, type Relation } from './support.js';

export interface World extends Landscape {
  /** Sees no cards of the type Vault, which are between cards of the type Desk. */
  outsider: Session;
  /** Sees cards, but no relations. */
  unrelated: Session;
  desks: Record<'root' | 'below' | 'deep' | 'leaf' | 'alone', string>;
}

/** Fills a workspace. */
export async function fillWorld(admin: Session): Promise<World> {
  const world = await fill(admin);
  const { api } = admin;
  const make = async (path: string, body: object): Promise<string> =>
    expectStatus(await api.post(path, body), 201, path).body.id;
  for (const key of ['Vault', 'Desk'])
    await make('/metamodel/types', {
      key,
      label: key,
      color: '#123456',
      has_hierarchy: true,
      allowed_parent_types: key === 'Desk' ? ['Vault', 'Desk'] : ['Vault'],
    });
  await api.patch('/metamodel/types/Vault', { allowed_parent_types: ['Vault', 'Desk'] });
  await make('/metamodel/relation-types', {
    key: 'sits',
    label: 'sits at',
    reverse_label: 'seats',
    source_type: 'Application',
    target_type: 'Desk',
    fields: [
      { key: 'weight', kind: 'number' },
      { key: 'sure', kind: 'boolean' },
      { key: 'note', kind: 'text' },
      {
        key: 'modes',
        kind: 'multiple_select',
        options: [
          { key: 'day', label: 'By day' },
          { key: 'night', label: 'By night' },
        ],
      },
    ],
  });
  const desk = (type: string, name: string, parent_id?: string) => make('/cards', { type, name, parent_id });
  const root = await desk('Desk', 'Root desk');
  const below = await desk('Desk', 'Below', root);
  const vault = await desk('Vault', 'Vault inside', root);
  const deep = await desk('Desk', 'Deep', vault);
  const leaf = await desk('Desk', 'Leaf', deep);
  const alone = await desk('Desk', 'Alone', await desk('Vault', 'Vault outside'));
  const { applications, capabilities } = world;
  const sits = (n: number, target_id: string, attributes: object = {}) =>
    make('/relations', { type: 'sits', source_id: applications[n], target_id, attributes });
  await sits(1, root, { weight: 1.5, modes: ['day', 'night'], sure: true });
  await sits(2, below, { weight: 0.1, modes: ['night'], sure: false });
  await sits(1, below, { weight: 0.2, modes: [] });
  await sits(3, deep, { weight: -4, modes: ['day'] });
  await sits(3, leaf);
  await sits(4, leaf, { weight: 10, sure: true });
  await sits(58, leaf, { weight: 5 });
  await sits(44, alone, { weight: 7, modes: ['day'] });
  const related = (source_id: string, target_id: string) =>
    make('/relations', { type: 'related', source_id, target_id });
  await related(applications[1]!, capabilities[1]!);
  await related(capabilities[1]!, applications[2]!);
  await related(capabilities[2]!, applications[1]!);
  await related(applications[1]!, vault);
  await related(applications[2]!, applications[3]!);
  // A cycle, and a relation whose validity has ended.
  await related(applications[3]!, applications[4]!);
  await related(applications[4]!, applications[2]!);
  const ended = { type: 'related', source_id: applications[4], target_id: applications[6], valid_to: '2020-12-31' };
  await make('/relations', ended);
  const seen = ['cards.view', 'stakeholders.view', 'reports.view', 'costs.view'];
  await make('/roles', {
    key: 'outsider',
    label: 'Outsider',
    permissions: [...seen, 'relations.view'],
    types: { Vault: { 'cards.view': false } },
  });
  await make('/roles', { key: 'unrelated', label: 'Unrelated', permissions: seen });
  return {
    ...world,
    outsider: await makeUser(admin, 'outsider'),
    unrelated: await makeUser(admin, 'unrelated'),
    desks: { root, below, deep, leaf, alone },
  };
}

export const CALLERS = ['admin', 'member', 'viewer', 'narrow', 'owner', 'outsider'] as const;

/** The inventory as a caller sees it. */
export class Seen {
  private constructor(
    readonly cards: ReadonlyMap<string, Card>,
    readonly relations: readonly Relation[],
    /** By id: ids of all cards above, the root first. */
    private readonly above: ReadonlyMap<string, readonly string[]>,
  ) {}

  /** @param admin sees everything, so that cards above hidden ones are known */
  static async by({ api }: Session, admin: Session): Promise<Seen> {
    const parents = new Map((await allCards(admin.api)).map(({ id, parent_id }) => [id, parent_id]));
    const pathOf = (id: string): string[] => {
      const parent = parents.get(id);
      return parent == null ? [] : [...pathOf(parent), parent];
    };
    const cards = await allCards(api);
    return new Seen(
      new Map(cards.map((card) => [card.id, card])),
      await allRelations(api),
      new Map([...parents.keys()].map((id) => [id, pathOf(id)])),
    );
  }

  ofType(type: string): Card[] {
    return [...this.cards.values()].filter((card) => card.type === type);
  }

  /** The visible cards of the same type above a card, the root first. */
  path(id: string): string[] {
    const { type } = this.cards.get(id)!;
    return this.above.get(id)!.filter((one) => this.cards.get(one)?.type === type);
  }

  /** Whether a card is in the subtree of another one. */
  isIn(id: string, root: string): boolean {
    return id === root || this.above.get(id)!.includes(root);
  }
}
