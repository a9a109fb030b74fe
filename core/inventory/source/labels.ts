import type { InventoryField, InventoryFieldKind, InventoryRelationType, InventoryType } from '@lintel/sdk';
import type { CardType, FieldDefinition, Metamodel, RelationType } from '../metamodel/index.js';
import { fixedTexts } from './fixed-texts.js';

type Translations = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Colours of phases and approvals, which the metamodel does not define. */
const PHASE_COLORS = {
  plan: '#9e9e9e',
  phaseIn: '#56b4e9',
  active: '#009e73',
  phaseOut: '#e69f00',
  endOfLife: '#d55e00',
} as const;
const APPROVAL_COLORS = { DRAFT: '#9e9e9e', APPROVED: '#009e73', BROKEN: '#e69f00', REJECTED: '#d55e00' } as const;

/** The options of a fixed field, in the order of their colours. */
const optionsOf = <Key extends string>(colors: Readonly<Record<Key, string>>, labels: Readonly<Record<Key, string>>) =>
  (Object.keys(colors) as Key[]).map((key) => ({ key, label: labels[key], color: colors[key] }));

/**
 * A translated text.
 * @param lang BCP 47 tag: its own translation, else that of its language
 */
export function translated(translations: Translations, lang: string, member: string, label: string): string {
  const [language] = lang.split('-') as [string];
  return translations[lang]?.[member] ?? translations[language]?.[member] ?? label;
}

const KINDS: Partial<Record<FieldDefinition['kind'], InventoryFieldKind>> = {
  number: 'number',
  integer: 'number',
  cost: 'number',
  percentage: 'number',
  date: 'date',
  boolean: 'boolean',
  single_select: 'option',
  multiple_select: 'options',
  user: 'id',
  card_reference: 'id',
};

function fieldOf(field: FieldDefinition, isCost: boolean, translations: Translations, lang: string): InventoryField {
  const name = `fields.${field.key}`;
  const isPercentage = field.kind === 'percentage';
  return {
    key: `attributes.${field.key}`,
    label: translated(translations, lang, name, field.label),
    kind: KINDS[field.kind] ?? 'text',
    isCost,
    unit: field.unit ?? (isPercentage ? '%' : undefined),
    options: (field.options ?? []).map(({ key, label, color }) => ({
      key,
      label: translated(translations, lang, `${name}.options.${key}`, label),
      color,
    })),
  };
}

/** A card type with labels in a language. */
export function typeView({ definition: d, fields }: CardType, lang: string): InventoryType {
  return {
    key: d.key,
    label: translated(d.translations, lang, 'label', d.label),
    color: d.color,
    icon: d.icon,
    hasHierarchy: d.has_hierarchy,
    fields: fields.fields.map((field) => fieldOf(field, fields.costKeys.has(field.key), d.translations, lang)),
    roles: d.stakeholder_roles.map(({ key, label }) => ({
      key,
      label: translated(d.translations, lang, `stakeholder_roles.${key}`, label),
    })),
  };
}

/** A relation type with labels in a language. */
export function relationTypeView({ definition: d, fields }: RelationType, lang: string): InventoryRelationType {
  return {
    key: d.key,
    label: translated(d.translations, lang, 'label', d.label),
    reverseLabel: translated(d.translations, lang, 'reverse_label', d.reverse_label),
    sourceType: d.source_type,
    targetType: d.target_type,
    sourceMandatory: d.source_mandatory,
    targetMandatory: d.target_mandatory,
    fields: fields.fields.map((field) => fieldOf(field, fields.costKeys.has(field.key), d.translations, lang)),
  };
}

/** The fields that every card has. */
function fixedField(
  key: string,
  metamodel: Metamodel,
  types: readonly InventoryType[],
  lang: string,
): InventoryField | undefined {
  const texts = fixedTexts(lang);
  const field = (label: string, kind: InventoryFieldKind, options: InventoryField['options'] = []): InventoryField => ({
    key,
    label,
    kind,
    isCost: false,
    options,
  });
  switch (key) {
    case 'type':
      return field(
        texts.type,
        'option',
        types.map(({ key: type, label, color }) => ({ key: type, label, color })),
      );
    case 'subtype': {
      const options = new Map<string, string>();
      for (const { key: type } of types) {
        const { subtypes, translations } = metamodel.types.get(type)!.definition;
        for (const one of subtypes)
          if (!options.has(one.key))
            options.set(one.key, translated(translations, lang, `subtypes.${one.key}`, one.label));
      }
      return field(
        texts.subtype,
        'option',
        [...options].map(([option, label]) => ({ key: option, label })),
      );
    }
    case 'description':
      return field(texts.description, 'text');
    case 'external_id':
      return field(texts.externalId, 'text');
    case 'approval_status':
      return field(texts.approval, 'option', optionsOf(APPROVAL_COLORS, texts.approvals));
    case 'lifecycle_phase':
      return field(texts.lifecycle, 'option', optionsOf(PHASE_COLORS, texts.phases));
    case 'data_quality':
      return { ...field(texts.dataQuality, 'number'), unit: '%' };
    default:
      return undefined;
  }
}

/**
 * A field of cards by its key; the same key in several types is one field, with the options of all of them.
 * @param types the card types that are read
 * @returns undefined if none of them has it, or if they define it in different ways
 */
export function fieldNamed(
  key: string,
  metamodel: Metamodel,
  types: readonly InventoryType[],
  lang: string,
): InventoryField | undefined {
  const fixed = fixedField(key, metamodel, types, lang);
  if (fixed) return fixed;
  const found = types.flatMap(({ fields }) => fields.find((field) => field.key === key) ?? []);
  const [first] = found;
  if (!first || found.some(({ kind }) => kind !== first.kind)) return undefined;
  const options = new Map(found.flatMap((field) => field.options.map((option) => [option.key, option] as const)));
  return { ...first, isCost: found.some(({ isCost }) => isCost), options: [...options.values()] };
}
