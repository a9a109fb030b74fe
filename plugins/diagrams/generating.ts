import type { Inventory, ModuleServices, RequestContext } from '@lintel/sdk';
import type { ContentQueue } from './content/queue.js';
import type { GeneratedCard, GeneratedRelation, GenerateOrder } from './content/generate.js';
import type { ContentService } from './content-service.js';
import { mayBegin } from './authority.js';
import type { GenerateBody } from './landscape-schemas.js';
import { readAmong, type PairRelation } from './relations-repository.js';
import type { DiagramResource, DiagramService } from './service.js';
import type { Settings } from './settings.js';

const MOST_CARDS = 300;
const MOST_RELATIONS = 400;
/** Relations among the cards that are read. */
const MOST_READ = 10_000;
/** The colours of types without one, by Okabe and Ito, which can be told apart with colour blindness. */
const PALETTE = ['#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#0072b2', '#d55e00', '#f0e442', '#999999'] as const;
/** Colours of the metamodel have six digits. */
const COLOR = /^#[0-9a-f]{6}$/;

/** A card within reach of the root card. */
interface Reached {
  id: string;
  name: string;
  type: string;
}

/** A part of the landscape. */
interface Part {
  cards: Reached[];
  relations: PairRelation[];
  isCut: boolean;
}

/** A generated file. */
export interface GeneratedFile {
  name: string;
  bytes: Buffer;
  cards: number;
  relations: number;
  isCut: boolean;
}

/** Cards by how far they are from the first one over these relations; those that are not connected with it are left out. */
function distances(cards: readonly Reached[], relations: readonly PairRelation[], depth: number): Map<string, number> {
  const around = new Map<string, string[]>(cards.map(({ id }) => [id, []]));
  for (const { source_id, target_id } of relations) {
    around.get(source_id)?.push(target_id);
    around.get(target_id)?.push(source_id);
  }
  const distance = new Map([[cards[0]!.id, 0]]);
  for (const [id, far] of distance) {
    if (far === depth) continue;
    for (const next of around.get(id) ?? []) if (around.has(next) && !distance.has(next)) distance.set(next, far + 1);
  }
  return distance;
}

/** The cards around the first one, the nearest first, as many as have no more relations among them than the maximum. */
export function nearPart(cards: readonly Reached[], relations: readonly PairRelation[], depth: number): Part {
  const byId = new Map(cards.map((card) => [card.id, card]));
  const near = [...distances(cards, relations, depth).keys()];
  const ends = new Map<string, PairRelation[]>(near.map((id) => [id, []]));
  for (const relation of relations) {
    ends.get(relation.source_id)?.push(relation);
    ends.get(relation.target_id)?.push(relation);
  }
  const taken = new Set<string>();
  const among: PairRelation[] = [];
  for (const id of near) {
    const added = ends
      .get(id)!
      .filter(({ source_id, target_id }) => taken.has(source_id === id ? target_id : source_id));
    if (among.length + added.length > MOST_RELATIONS) break;
    taken.add(id);
    among.push(...added);
  }
  return { cards: [...taken].map((id) => byId.get(id)!), relations: among, isCut: taken.size < near.length };
}

/** Makes diagrams of parts of the landscape. */
export class DiagramGenerator {
  constructor(
    private readonly host: ModuleServices<Settings>,
    private readonly queue: ContentQueue,
    private readonly contents: ContentService,
    private readonly diagrams: DiagramService,
  ) {}

  /**
   * Makes the file of the cards around a card.
   * @throws forbidden without relations.view, validation_failed
   */
  async generate(ctx: RequestContext, body: GenerateBody): Promise<GeneratedFile> {
    const { root_card_id, name, layout: direction = 'right' } = body;
    const root = (await this.host.cards.find(ctx, [root_card_id])).get(root_card_id.toLowerCase());
    if (!root) throw this.host.invalid({ field: '/root_card_id', reason: 'names no card' });
    await this.check(ctx, body);
    const { order, part } = await this.landscape(ctx, root, body);
    const title = name?.trim() ?? root.name.slice(0, 300).toWellFormed();
    const { bytes } = await this.queue.run(ctx, { ...order, kind: 'generate', name: title, direction });
    return {
      name: title,
      bytes: Buffer.from(bytes),
      cards: part.cards.length,
      relations: part.relations.length,
      isCut: part.isCut,
    };
  }

  /** Stores a generated file as a diagram. @returns it as it was written @throws forbidden, validation_failed */
  async store(
    ctx: RequestContext,
    { root_card_id, group_id }: GenerateBody,
    file: GeneratedFile,
  ): Promise<DiagramResource> {
    await mayBegin(this.host, ctx, [root_card_id], []);
    const prepared = await this.contents.prepare(ctx, file.bytes, '/root_card_id');
    return await this.diagrams.createFrom(ctx, { name: file.name, group_id, card_ids: [root_card_id] }, prepared);
  }

  /** @throws validation_failed with all types that do not exist */
  private async check(ctx: RequestContext, { types = [], relation_types = [] }: GenerateBody): Promise<void> {
    const known = await this.host.inventory.read(ctx, {}, async (inventory) => inventory);
    const errors = [
      ...types.flatMap((type, i) =>
        known.types.has(type) ? [] : [{ field: `/types/${i}`, reason: 'is no card type' }],
      ),
      ...relation_types.flatMap((type, i) =>
        known.relationTypes.has(type) ? [] : [{ field: `/relation_types/${i}`, reason: 'is no relation type' }],
      ),
    ];
    if (errors.length > 0) throw this.host.invalid(...errors);
  }

  /** The cards and relations of the part, with labels and colours. */
  private async landscape(
    ctx: RequestContext,
    root: Reached,
    { depth = 2, direction = 'both', types, relation_types, lang }: GenerateBody,
  ): Promise<{ order: Pick<GenerateOrder, 'cards' | 'relations' | 'types'>; part: Part }> {
    const reach = await this.host.cards.impact(ctx, [root.id], {
      depth,
      direction,
      relation_type: relation_types?.join(','),
    });
    const wanted = types && new Set(types);
    const reached = [root, ...reach.nodes.filter(({ type }) => !wanted || wanted.has(type))];
    const language = lang ?? this.host.workspace().locales[0];
    return await this.host.inventory.read(ctx, language === undefined ? {} : { lang: language }, async (inventory) => {
      const ids = reached.slice(0, MOST_CARDS).map(({ id }) => id);
      const found = await readAmong(inventory, ids, relation_types, MOST_READ);
      const part = nearPart(reached.slice(0, MOST_CARDS), found, depth);
      part.isCut ||= reach.truncated || reached.length > MOST_CARDS || found.length === MOST_READ;
      return { order: orderOf(inventory, part), part };
    });
  }
}

function orderOf(
  inventory: Inventory,
  { cards, relations }: Part,
): Pick<GenerateOrder, 'cards' | 'relations' | 'types'> {
  const keys = [...inventory.types.keys()];
  const colorOf = (type: string): string => {
    const color = inventory.types.get(type)?.color?.toLowerCase() ?? '';
    return COLOR.test(color) ? color : PALETTE[Math.max(0, keys.indexOf(type)) % PALETTE.length]!;
  };
  const used = keys.filter((key) => cards.some(({ type }) => type === key));
  return {
    cards: cards.map(({ id, name, type }): GeneratedCard => ({ id, name, type, color: colorOf(type) })),
    relations: relations.map(
      ({ id, type, source_id, target_id }): GeneratedRelation => ({
        id,
        type,
        label: inventory.relationTypes.get(type)?.label ?? type,
        source: source_id,
        target: target_id,
      }),
    ),
    types: used.map((key) => ({ label: inventory.types.get(key)?.label ?? key, color: colorOf(key) })),
  };
}
