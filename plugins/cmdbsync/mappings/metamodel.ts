import type { InventoryField, InventoryFieldKind, InventoryRelationType, RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';

/** A target of field maps. */
export interface Target {
  kind: InventoryFieldKind;
  isCost: boolean;
  /** The keys that values may have; empty if they are free. */
  options: readonly string[];
}

/** What mappings are checked against, as the caller may see it. */
export interface Metamodel {
  /** By key of the card type. */
  types: ReadonlyMap<string, { hasHierarchy: boolean; targets: ReadonlyMap<string, Target> }>;
  relationTypes: ReadonlyMap<string, Pick<InventoryRelationType, 'sourceType' | 'targetType'>>;
  /** Whether the caller may see the costs of all cards. */
  seesCosts: boolean;
}

const plain = (kind: InventoryFieldKind): Target => ({ kind, isCost: false, options: [] });
const ofField = ({ kind, isCost, options }: InventoryField): Target => ({
  kind,
  isCost,
  options: options.map(({ key }) => key),
});

/** Reads the metamodel; not inside a transaction, because it needs a connection of its own. */
export async function readMetamodel(host: Host, ctx: RequestContext): Promise<Metamodel> {
  return await host.inventory.read(ctx, {}, async (inventory) => {
    const phases = inventory.field('lifecycle_phase')?.options ?? [];
    const types = [...inventory.types.values()].map((type) => {
      const subtype = inventory.field('subtype', [type.key]);
      const targets = new Map<string, Target>([
        ...(['name', 'description', 'alias', 'external_id'] as const).map((key) => [key, plain('text')] as const),
        ...phases.map(({ key }) => [`lifecycle.${key}`, plain('date')] as const),
        ...(subtype && subtype.options.length > 0 ? [['subtype', ofField(subtype)] as const] : []),
        ...type.fields.map((field) => [field.key, ofField(field)] as const),
      ]);
      return [type.key, { hasHierarchy: type.hasHierarchy, targets }] as const;
    });
    return {
      types: new Map(types),
      relationTypes: inventory.relationTypes,
      seesCosts: inventory.costs === 'all',
    };
  });
}

/** The kinds of the values of targets, as `compileFields` needs them. */
export function fieldTypesOf(metamodel: Metamodel, cardType: string): Record<string, InventoryFieldKind> {
  const targets = metamodel.types.get(cardType)?.targets ?? new Map<string, Target>();
  return Object.fromEntries([...targets].map(([target, { kind }]) => [target, kind]));
}
