import type { StoredSection } from './schema.js';
import type { TableDefinition } from '../tables/definition.js';

const section = (
  key: string,
  title: string,
  guidance: string,
  tables: readonly TableDefinition[] = [],
): StoredSection => ({ key, title, guidance, text: '', entries: [], tables: [...tables] });

/** The sections of a statement of architecture work: TOGAF Standard, 10th edition, Architecture Content, 3.2.20 (9.2: 32.2.20). */
export const TOGAF_SECTIONS: readonly StoredSection[] = [
  section(
    'request_and_background',
    'Architecture project request and background',
    'Who asked for the architecture work, why, and what has been decided or built before.',
  ),
  section(
    'description_and_scope',
    'Architecture project description and scope',
    'What the project is to achieve, which parts of the enterprise it covers, and what is outside of it.',
  ),
  section(
    'overview',
    'Overview of the architecture vision',
    'The target in a few sentences: what will be different, for whom, and what it is worth.',
  ),
  section(
    'change_of_scope_procedures',
    'Change of scope procedures',
    'How a change of the scope is requested, assessed, decided and recorded.',
  ),
  section(
    'managers_and_stakeholders',
    'Roles, responsibilities, and stakeholders',
    'Who manages the project, who takes part, and whose concerns it serves.',
  ),
  section('deliverables', 'Deliverables', 'What the project hands over, and when.'),
  section(
    'acceptance_criteria',
    'Acceptance criteria and procedures',
    'What must be fulfilled so that the deliverables are accepted, how it is measured, and who decides.',
  ),
  section('plan', 'Architecture project plan and schedule', 'The work items, in order, with dates and effort.'),
  section('risks_and_mitigations', 'Risks and mitigations', 'What may endanger the result, and what is done about it.'),
  section('approvals', 'Approvals', 'Conditions of the approval; the signatures follow at the end of the document.'),
];

/** The template of the platform. */
export const TOGAF = {
  key: 'togaf',
  name: 'TOGAF statement of architecture work',
  description: 'The sections of TOGAF, in their order.',
  sections: TOGAF_SECTIONS,
} as const;
