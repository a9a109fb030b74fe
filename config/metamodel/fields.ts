import type {
  CardTypeDefinition,
  FieldDefinition,
  FieldKind,
  FieldOption,
  Section,
  StakeholderRole,
  Subtype,
} from '../../core/inventory/metamodel/types.js';

/** Words with a fixed spelling in labels. */
const SPELLINGS: Record<string, string> = {
  ai: 'AI',
  api: 'API',
  esg: 'ESG',
  iaas: 'IaaS',
  it: 'IT',
  kpi: 'KPI',
  mcp: 'MCP',
  paas: 'PaaS',
  saas: 'SaaS',
  url: 'URL',
};

/** Labels of keys from which no good label can be derived. */
const LABELS: Record<string, string> = {
  adHoc: 'Ad hoc',
  archimateType: 'ArchiMate element',
  commercial: 'Commercial product',
  contractEnd: 'End of contract',
  costActual: 'Actual cost',
  costBudget: 'Budget',
  costTotalAnnual: 'Total annual cost',
  headCount: 'Headcount',
  isCoreCapability: 'Core capability',
  isPersonalData: 'Contains personal data',
  onPremise: 'On-premises',
  retentionMonths: 'Retention period',
  timeModel: 'TIME model',
};

/** Status colours, from good to bad; `muted` is neutral. */
export const tone = {
  good: '#2e7d32',
  fair: '#9ccc65',
  caution: '#f9a825',
  poor: '#ef6c00',
  bad: '#c62828',
  info: '#1e88e5',
  muted: '#78909c',
} as const;

/** The palette of Okabe and Ito, distinguishable with any colour vision, for options without an order. */
const CATEGORICAL = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442'] as const;

/** Option keys only (coloured as categories), or each key with its colour. */
export type OptionList = string[] | Record<string, string>;

export type FieldSettings = Pick<
  Partial<FieldDefinition>,
  'required' | 'weight' | 'unit' | 'min' | 'max' | 'filterable'
>;

/**
 * Turns a key into a label in sentence case.
 * @param key camel or snake case, e.g. `businessCriticality`, `ITComponent`, `process_owner`
 * @returns e.g. "Business criticality", "IT component", "Process owner"
 */
function labelOf(key: string): string {
  const fixed = LABELS[key];
  if (fixed !== undefined) return fixed;
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]/);
  const text = words.map((word) => SPELLINGS[word] ?? word).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Lowers the leading capitals of a type key: `Application` → `application`, `ITComponent` → `itComponent`. */
export function camelCase(typeKey: string): string {
  return typeKey.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z])/, (head) => head.toLowerCase());
}

function field(key: string, kind: FieldKind, settings: FieldSettings = {}): FieldDefinition {
  return { key, label: labelOf(key), kind, required: false, weight: 1, ...settings };
}

function optionsFrom(list: OptionList): FieldOption[] {
  const colored = Array.isArray(list)
    ? list.map((key, i): [string, string] => [key, CATEGORICAL[i % CATEGORICAL.length] ?? tone.muted])
    : Object.entries(list);
  return colored.map(([key, color]) => ({ key, label: labelOf(key), color }));
}

/** One line of text. */
export const text = (key: string, settings?: FieldSettings): FieldDefinition => field(key, 'text', settings);
/** A web address. */
export const url = (key: string, settings?: FieldSettings): FieldDefinition => field(key, 'url', settings);
/** A calendar day. */
export const date = (key: string, settings?: FieldSettings): FieldDefinition => field(key, 'date', settings);
/** Yes or no; "no" counts as filled. */
export const bool = (key: string, settings?: FieldSettings): FieldDefinition => field(key, 'boolean', settings);
/** A number of 0 or more unless the settings say otherwise. */
export const num = (key: string, settings?: FieldSettings): FieldDefinition =>
  field(key, 'number', { min: 0, ...settings });
/** A whole number; the integers of the default model are counts, hence never negative. */
export const integer = (key: string, settings?: FieldSettings): FieldDefinition =>
  field(key, 'integer', { min: 0, ...settings });
/** Money in the currency of the workspace, never negative. */
export const cost = (key: string, settings?: FieldSettings): FieldDefinition =>
  field(key, 'cost', { min: 0, ...settings });

/**
 * A choice of exactly one option.
 * @param list options in the order they are offered
 */
export function select(key: string, list: OptionList, settings?: FieldSettings): FieldDefinition {
  return { ...field(key, 'single_select', settings), options: optionsFrom(list) };
}

/** The maturity scale shared by capabilities, contexts and processes. */
export function maturity(settings?: FieldSettings): FieldDefinition {
  return select(
    'maturity',
    {
      initial: tone.bad,
      managed: tone.poor,
      defined: tone.caution,
      measured: tone.fair,
      optimized: tone.good,
    },
    settings,
  );
}

/** How well something fits the technical standards; shared by applications and components. */
export function technicalSuitability(settings?: FieldSettings): FieldDefinition {
  return select(
    'technicalSuitability',
    {
      fullyAppropriate: tone.good,
      adequate: tone.fair,
      inappropriate: tone.poor,
      unreasonable: tone.bad,
    },
    settings,
  );
}

function role(key: string, permissions: string[]): StakeholderRole {
  return { key, label: labelOf(key), permissions: Object.fromEntries(permissions.map((name) => [name, true])) };
}

const ALL_CARD_PERMISSIONS = [
  'card.edit',
  'card.archive',
  'card.approve',
  'card.manage_stakeholders',
  'card.manage_relations',
  'card.manage_documents',
  'card.manage_comments',
  'card.create_comments',
  'card.view_costs',
];

/** A role that may change its card with relations and documents, but neither approve nor archive it. */
export const editorRole = (key: string): StakeholderRole =>
  role(key, ['card.edit', 'card.manage_relations', 'card.manage_documents']);
/** A role with all permissions of `responsible` and additional ones of a module. */
export const leadRole = (key: string, ...more: string[]): StakeholderRole =>
  role(key, [...ALL_CARD_PERMISSIONS, ...more]);

/** The default stakeholder roles of every card type. */
export const commonRoles: readonly StakeholderRole[] = [
  leadRole('responsible'),
  role('observer', ['card.create_comments']),
];

/** A card type without its sort order. */
export type CardTypeDraft = Omit<CardTypeDefinition, 'sort_order'>;

export interface CardTypeInput {
  description: string;
  icon: string;
  color: string;
  /** Whether cards can be nested below cards of the same type. */
  hierarchy?: boolean;
  maxLevel?: number;
  subtypes?: string[];
  /** Section key → its fields, in display order. */
  sections?: Record<string, FieldDefinition[]>;
  /** Roles in addition to `responsible` and `observer`, which every type has. */
  roles?: StakeholderRole[];
  archimate?: string[];
}

/**
 * A built-in card type: adds the common parts to the given ones.
 * @param category layer of the type: strategy, business, application or technical
 */
export function cardType(category: string, key: string, input: CardTypeInput): CardTypeDraft {
  const { description, icon, color, hierarchy = false, maxLevel, archimate } = input;
  const subtypes = (input.subtypes ?? []).map(
    (name): Subtype => ({ key: name, label: labelOf(name), hidden_fields: [] }),
  );
  const sections = Object.entries({ general: [], ...input.sections })
    // The ArchiMate element kind of an imported card is stored in this field.
    .map(
      ([name, fields]): Section => ({
        key: name,
        label: labelOf(name),
        fields: name === 'general' ? [...fields, text('archimateType', { weight: 0 })] : fields,
      }),
    );
  return {
    key,
    label: labelOf(key),
    description,
    icon,
    color,
    category,
    has_hierarchy: hierarchy,
    ...(maxLevel === undefined ? {} : { max_level: maxLevel }),
    allowed_parent_types: hierarchy ? [key] : [],
    subtypes,
    sections,
    quality_weights: { description: 1, lifecycle: 1, relation: 1, tag_group: 1, stakeholder_role: 1 },
    stakeholder_roles: [...commonRoles, ...(input.roles ?? [])],
    ...(archimate === undefined ? {} : { archimate }),
    translations: {},
    is_hidden: false,
    built_in: true,
  };
}
