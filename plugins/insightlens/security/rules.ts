/** The rules of the analysis of security and compliance, as data. */
import type { Severity } from '../analyses/definition.js';

/** A test of a field of a card: one of values (case is ignored), none of them (true of an empty field), or empty.. */
export interface FieldTest {
  /** A field of the metamodel, by its key in `attributes`. */
  field: string;
  is?: readonly string[];
  not?: readonly string[];
  empty?: true;
}

/** Cards of a type whose fields pass all tests; those in use only, unless `anyPhase`. */
export interface CardTest {
  type: string;
  where: readonly FieldTest[];
  anyPhase?: boolean;
}

/** What a rule looks for. Types, fields and relation types that the metamodel does not have make it not applicable. */
export type Condition =
  | { kind: 'card'; card: CardTest }
  | { kind: 'related'; relation: string; source: CardTest; target: CardTest }
  | { kind: 'owner'; types: readonly string[] }
  | { kind: 'lifecycle'; types: readonly string[]; days: number }
  | { kind: 'release'; days: number }
  | { kind: 'patch' }
  | { kind: 'exploited' }
  | { kind: 'single_point'; links: readonly DependencyLink[]; dependants: number };

/** A relation type whose source depends on its target, and the relation by which targets are alternatives of one another. */
export interface DependencyLink {
  relation: string;
  /** From the target to what several cards can do; null: nothing makes two of them alternatives. */
  group: string | null;
}

export interface Rule {
  id: string;
  title: string;
  severity: Severity;
  condition: Condition;
}

const PERSONAL: FieldTest = { field: 'isPersonalData', is: ['true'] };
const UNCLASSIFIED: FieldTest = { field: 'dataSensitivity', empty: true };
const SENSITIVE: FieldTest = { field: 'dataSensitivity', is: ['confidential', 'restricted'] };
const AI: FieldTest = { field: 'hasAiFeatures', is: ['true'] };
/** Protocols without encryption or authentication of both sides, as they are written. */
const PLAIN_PROTOCOLS = ['http', 'ftp', 'telnet', 'smtp', 'ldap', 'mqtt', 'syslog', 'tftp', 'pop3', 'imap', 'snmp'];
const application = (...where: FieldTest[]): CardTest => ({ type: 'Application', where });
const data = (...where: FieldTest[]): CardTest => ({ type: 'DataObject', where });
const component = (...where: FieldTest[]): CardTest => ({ type: 'ITComponent', where });

export const RULES: readonly Rule[] = [
  {
    id: 'owner-missing',
    title: 'An application in use has no owner',
    severity: 'medium',
    condition: { kind: 'owner', types: ['Application'] },
  },
  {
    id: 'end-of-life',
    title: 'A card is active beyond, or shortly before, the end of its life cycle',
    severity: 'high',
    condition: { kind: 'lifecycle', types: ['Application', 'ITComponent', 'Interface', 'Platform'], days: 180 },
  },
  {
    id: 'release-ended',
    title: 'Support for the installed release has ended, or ends soon',
    severity: 'high',
    condition: { kind: 'release', days: 180 },
  },
  {
    id: 'patch-missing',
    title: 'The installed version is not the latest of its release',
    severity: 'low',
    condition: { kind: 'patch' },
  },
  {
    id: 'known-exploited',
    title: 'A vulnerability of the product is known to be exploited',
    severity: 'critical',
    condition: { kind: 'exploited' },
  },
  {
    id: 'personal-data-unclassified',
    title: 'Personal data has no sensitivity',
    severity: 'high',
    condition: { kind: 'card', card: data(PERSONAL, UNCLASSIFIED) },
  },
  {
    id: 'personal-data-unstated',
    title: 'It is not stated whether a data object has personal data',
    severity: 'medium',
    condition: { kind: 'card', card: data({ field: 'isPersonalData', empty: true }) },
  },
  {
    id: 'personal-data-public',
    title: 'Personal data is classified as public',
    severity: 'high',
    condition: { kind: 'card', card: data(PERSONAL, { field: 'dataSensitivity', is: ['public'] }) },
  },
  {
    id: 'unclassified-personal-data-used',
    title: 'An application processes personal data that has no sensitivity',
    severity: 'high',
    condition: {
      kind: 'related',
      relation: 'applicationToDataObject',
      source: application(),
      target: data(PERSONAL, UNCLASSIFIED),
    },
  },
  {
    id: 'retention-missing',
    title: 'Personal data has no retention period',
    severity: 'medium',
    condition: { kind: 'card', card: data(PERSONAL, { field: 'retentionMonths', empty: true }) },
  },
  {
    id: 'exposed-interface',
    title: 'An interface transfers sensitive data by a protocol without protection',
    severity: 'critical',
    condition: {
      kind: 'related',
      relation: 'interfaceToDataObject',
      source: { type: 'Interface', where: [{ field: 'protocol', is: PLAIN_PROTOCOLS }] },
      target: data(SENSITIVE),
    },
  },
  {
    id: 'interface-protocol-unstated',
    title: 'An interface transfers sensitive data by a protocol that is not stated',
    severity: 'medium',
    condition: {
      kind: 'related',
      relation: 'interfaceToDataObject',
      source: { type: 'Interface', where: [{ field: 'protocol', empty: true }] },
      target: data(SENSITIVE),
    },
  },
  {
    id: 'criticality-missing',
    title: 'An application in use has no business criticality',
    severity: 'medium',
    condition: { kind: 'card', card: application({ field: 'businessCriticality', empty: true }) },
  },
  {
    id: 'classification-missing',
    title: 'A component in use has no classification',
    severity: 'low',
    condition: { kind: 'card', card: component({ field: 'resourceClassification', empty: true }) },
  },
  {
    id: 'declined-component-used',
    title: 'An application runs on a component that was declined',
    severity: 'medium',
    condition: {
      kind: 'related',
      relation: 'applicationToITComponent',
      source: application(),
      target: component({ field: 'resourceClassification', is: ['declined'] }),
    },
  },
  {
    id: 'critical-on-unfit',
    title: 'A mission-critical application is technically unfit',
    severity: 'high',
    condition: {
      kind: 'card',
      card: application(
        { field: 'businessCriticality', is: ['missionCritical'] },
        { field: 'technicalSuitability', is: ['inappropriate', 'unreasonable'] },
      ),
    },
  },
  {
    id: 'hosting-unstated',
    title: 'It is not stated where an application is hosted',
    severity: 'low',
    condition: { kind: 'card', card: application({ field: 'hostingType', empty: true }) },
  },
  {
    id: 'ai-unstated',
    title: 'It is not stated whether an application has features of artificial intelligence',
    severity: 'low',
    condition: { kind: 'card', card: application({ field: 'hasAiFeatures', empty: true }) },
  },
  {
    id: 'ai-personal-data',
    title: 'An application with artificial intelligence processes personal data',
    severity: 'high',
    condition: {
      kind: 'related',
      relation: 'applicationToDataObject',
      source: application(AI),
      target: data(PERSONAL),
    },
  },
  {
    id: 'ai-criticality-missing',
    title: 'An application with artificial intelligence has no business criticality',
    severity: 'high',
    condition: { kind: 'card', card: application(AI, { field: 'businessCriticality', empty: true }) },
  },
  {
    id: 'single-point',
    title: 'Several cards depend on one card without an alternative',
    severity: 'high',
    condition: {
      kind: 'single_point',
      dependants: 5,
      links: [
        { relation: 'applicationToITComponent', group: 'itComponentToTechCategory' },
        { relation: 'interfaceToITComponent', group: 'itComponentToTechCategory' },
        { relation: 'businessProcessToApplication', group: 'applicationToBusinessCapability' },
      ],
    },
  },
];

export const RULE_IDS: readonly string[] = RULES.map(({ id }) => id);
