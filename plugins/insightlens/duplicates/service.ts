import type { PageResult, RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { clustersOf } from './clusters.js';
import { readFigures, readPairs } from './clusters-repository.js';
import { recommendationOf } from './recommendation.js';
import type { DuplicateCluster, DuplicateQuery } from './schemas.js';

/** Clusters of cards that are alike, computed from the pairs that the caller sees. */
export class DuplicateService {
  constructor(private readonly host: Host) {}

  async list(ctx: RequestContext, { card_id, ...params }: DuplicateQuery): Promise<PageResult<DuplicateCluster>> {
    const { host } = this;
    const { usage_fields, spend_fields } = host.settings();
    return await host.inventory.read(ctx, {}, async (inventory) => {
      const clusters = clustersOf(await readPairs(inventory)).filter(
        ({ cards }) => card_id === undefined || cards.includes(card_id),
      );
      const page = host.http.pageOf(
        clusters,
        'id',
        'score',
        { sort_dir: 'desc', ...params },
        `duplicates ${card_id ?? ''}`,
      );
      const ids = page.items.flatMap(({ cards }) => cards);
      const fields = { users: usage_fields, costs: spend_fields };
      const figures = ids.length === 0 ? new Map() : await readFigures(inventory, ids, fields);
      return {
        ...page,
        items: page.items.map(({ id, score, cards, pairs }) => {
          const members = cards.map((card) => figures.get(card)!);
          return {
            id,
            score,
            cards: members.map(({ id: card, name, type }) => ({ id: card, name, type })),
            pairs: pairs.map((pair) => ({
              finding_id: pair.id,
              card_ids: [pair.a, pair.b],
              score: pair.score,
              state: pair.state,
            })),
            recommendation: recommendationOf(members),
          };
        }),
      };
    });
  }
}
