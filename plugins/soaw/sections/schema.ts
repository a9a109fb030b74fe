import { Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { TableDefinition } from '../tables/definition.js';

export const MAX_SECTIONS = 40;
/** Live tables of a document. */
export const MAX_TABLES = 20;
const MAX_ENTRIES = 100;

const Line = (description: string) => Type.Optional(Type.String({ maxLength: 300, description }));
const Prose = (description: string) => Type.Optional(Type.String({ maxLength: 5_000, description }));
const Day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

/** Members of the structured rows of all sections; `ENTRY_MEMBERS` has those of each section. */
const Entry = Strict(
  {
    role: Line('Of a manager or stakeholder.'),
    name: Line('Of a person or group without an account.'),
    user_id: Type.Optional(Uuid({ description: 'An account.' })),
    responsibilities: Prose('Of a manager or stakeholder.'),
    deliverable: Line('What is delivered.'),
    description: Prose('Of a deliverable.'),
    due_date: Day('Of a deliverable.'),
    criterion: Line('What is accepted.'),
    measure: Prose('How acceptance is measured.'),
    work_item: Line('A part of the plan.'),
    start_date: Day('Of a part of the plan.'),
    end_date: Day('Of a part of the plan, not before its start.'),
    owner: Line('Who does it.'),
    effort: Line('Such as 20 person-days.'),
    risk: Line('What may happen.'),
    mitigation: Prose('What is done about it.'),
  },
  { 'x-name': 'SoawEntry' },
);
export type Entry = Static<typeof Entry>;
export type EntryMember = keyof Entry;

export const SECTION_KEY = '^[a-z][a-z0-9_]{0,49}$';
const body = {
  title: Type.String({ minLength: 1, maxLength: 200, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' }),
  text: Type.Optional(Type.String({ maxLength: 50_000, description: 'Markdown.' })),
  entries: Type.Optional(
    Type.Array(Entry, { maxItems: MAX_ENTRIES, description: 'Rows, in the sections of TOGAF that have some.' }),
  ),
  tables: Type.Optional(Type.Array(TableDefinition, { maxItems: MAX_TABLES, description: 'Live tables.' })),
};
const key = Type.String({ maxLength: 50, pattern: SECTION_KEY, description: 'Unique in the document.' });
const guidance = Type.Optional(
  Type.String({ maxLength: 5_000, description: 'What belongs into the section; not part of the files.' }),
);

/** A section of a document. */
export const Section = Strict({ key, ...body, guidance }, { 'x-name': 'SoawSection' });
export type Section = Static<typeof Section>;

/** A section without its key, which is in the path. */
export const SectionBody = Strict(
  { ...body, guidance },
  { 'x-name': 'SoawSectionBody', examples: [{ title: 'Acceptance criteria', text: 'All of them are met.' }] },
);
export type SectionBody = Static<typeof SectionBody>;

/** A section with all members, as it is stored. */
export type StoredSection = Required<Section>;

export const Sections = (options: Record<string, unknown> = {}) =>
  Type.Array(Section, { maxItems: MAX_SECTIONS, ...options });

interface EntryRule {
  members: readonly EntryMember[];
  /** One of these is required. */
  required: readonly EntryMember[];
}

/** The structured rows of the sections of TOGAF; other sections have none. */
export const ENTRY_RULES: Readonly<Record<string, EntryRule>> = {
  managers_and_stakeholders: {
    members: ['role', 'name', 'user_id', 'responsibilities'],
    required: ['name', 'user_id'],
  },
  deliverables: { members: ['deliverable', 'description', 'due_date'], required: ['deliverable'] },
  acceptance_criteria: { members: ['criterion', 'measure'], required: ['criterion'] },
  plan: { members: ['work_item', 'start_date', 'end_date', 'owner', 'effort'], required: ['work_item'] },
  risks_and_mitigations: { members: ['risk', 'mitigation', 'owner'], required: ['risk'] },
};
