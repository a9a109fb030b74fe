import type { RequestContext } from '@lintel/sdk';
import type { AccessGate, Extent, PlacedCard } from '../../access/index.js';
import type { MetamodelService } from '../../metamodel/index.js';
import type { StoredRow } from './rows-view-repository.js';
import type { RowVisibility } from './view.js';

const ATTRIBUTE = 'attributes.';
const texts = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === 'string');

/** Decides what a user may see of the rows of an import, by the cards and relations they are about. */
export class RowVisibilities {
  constructor(
    private readonly access: AccessGate,
    private readonly metamodel: MetamodelService,
  ) {}

  /** The number of queries does not depend on the number of rows. @returns a function for these rows */
  async of(ctx: RequestContext, rows: readonly StoredRow[]): Promise<(row: StoredRow) => RowVisibility> {
    const hiddenTypes = this.access.hiddenTypes(ctx);
    const relationless = this.access.relationlessTypes(ctx);
    const costs = await this.access.costExtent(ctx);
    const ends = (row: StoredRow) => texts([row.source_id, row.target_card_id]);
    const hiddenIds = await this.access.hiddenAmong(
      ctx,
      rows.flatMap((row) => [
        ...texts([row.target_id]),
        ...ends(row),
        ...(row.diff ?? []).flatMap((change) => texts([change.old, change.new])),
      ]),
    );
    const needsCards = relationless.length > 0 || costs.scope.held.size > 0;
    const cards = needsCards
      ? await this.access.seen(
          ctx,
          rows.flatMap((row) => [...texts([row.target_id]), ...ends(row)]),
        )
      : new Map<string, PlacedCard>();
    return (row) => {
      if (row.kind === 'card') {
        const type = row.type ?? '';
        const card = cards.get(row.target_id ?? '');
        return {
          hiddenIds,
          isHidden: row.type !== null && hiddenTypes.includes(type),
          isClosed: closed(
            this.metamodel.current.costKeys(type),
            costs.byRole(type) || (card !== undefined && costs.scope.covers(card)),
          ),
        };
      }
      const sides = (
        [
          [row.source_id, row.source_type],
          [row.target_card_id, row.target_type],
        ] as const
      ).map(([id, type]) => ({ id, card: cards.get(id ?? ''), type: cards.get(id ?? '')?.type ?? type }));
      const isHidden =
        sides.some(
          ({ id, type }) => (id !== null && hiddenIds.has(id)) || (type !== null && relationless.includes(type)),
        ) ||
        // Where the ends of a relation are unknown, only the data from the file is shown.
        (relationless.length > 0 && row.target_id !== null && sides.some(({ type }) => type === null));
      return {
        hiddenIds,
        isHidden,
        isClosed: closed(this.metamodel.current.relationCostKeys(row.type ?? ''), opens(costs, sides)),
      };
    };
  }
}

const closed =
  (costKeys: ReadonlySet<string>, isOpen: boolean) =>
  (field: string): boolean =>
    !isOpen && field.startsWith(ATTRIBUTE) && costKeys.has(field.slice(ATTRIBUTE.length));

/** As for the relation itself: both types by role, or a card at an end by a stakeholder role. */
const opens = (
  { byRole, scope }: Extent,
  ends: readonly { card: PlacedCard | undefined; type: string | null }[],
): boolean =>
  ends.every(({ type }) => byRole(type ?? '')) || ends.some(({ card }) => card !== undefined && scope.covers(card));
