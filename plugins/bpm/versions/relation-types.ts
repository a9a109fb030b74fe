import { refusal } from '../errors.js';
import { LINKED_TYPES, PROCESS_TYPE, type Host, type LinkedType } from '../basics.js';

/** Which relation a link implies, by the type of the linked card; null: none. */
export type ImpliedTypes = ReadonlyMap<string, ImpliedType | null>;

/** A relation type, and which of its ends is the process. */
export interface ImpliedType {
  key: string;
  isProcessSource: boolean;
  /** Why relations of the type cannot be made; undefined for a suitable one. */
  fault: string | undefined;
}

/** Reads the relation types that the settings name. Unsuitable ones are reported only where a link needs them. */
export async function readImpliedTypes(host: Host): Promise<ImpliedTypes> {
  const { relation_types: keys } = host.settings();
  const known = await host.inventory.read(host.systemContext('bpm'), {}, async ({ relationTypes }) => relationTypes);
  const fits = (end: string, type: string): boolean => end === type || end === '*';
  const implied = (type: LinkedType): ImpliedType | null => {
    const key = keys[type];
    if (key === '') return null;
    const found = known.get(key);
    if (!found) return { key, isProcessSource: true, fault: 'does not exist' };
    const { sourceType, targetType } = found;
    if (fits(sourceType, PROCESS_TYPE) && fits(targetType, type))
      return { key, isProcessSource: true, fault: undefined };
    if (fits(sourceType, type) && fits(targetType, PROCESS_TYPE))
      return { key, isProcessSource: false, fault: undefined };
    return { key, isProcessSource: true, fault: `does not relate ${PROCESS_TYPE} and ${type}` };
  };
  return new Map(LINKED_TYPES.map((type) => [type, implied(type)]));
}

/** The relation type that a link with a card of the type implies; null for none. @throws bpm_relation_type */
export function impliedBy(types: ImpliedTypes, cardType: string): ImpliedType | null {
  const implied = types.get(cardType) ?? null;
  if (implied?.fault === undefined) return implied;
  throw refusal('bpm_relation_type', {
    detail: `The relation type ${implied.key}, which the setting relation_types names for ${cardType}, ${implied.fault}.`,
    relation_type: implied.key,
    setting: `relation_types.${cardType}`,
  });
}
