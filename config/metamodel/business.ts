import { bool, cardType, leadRole, maturity, num, select, text, tone, url } from './fields.js';
import type { CardTypeDraft } from './fields.js';

const layer = 'business';

/** Organisation, customers, processes and capabilities. */
export const businessTypes: CardTypeDraft[] = [
  cardType(layer, 'Organization', {
    description: 'A unit, place, legal entity or group of people that acts or is served.',
    icon: 'corporate_fare',
    color: '#4a7fd6',
    hierarchy: true,
    subtypes: ['businessUnit', 'region', 'legalEntity', 'team', 'customer'],
    sections: { general: [num('headCount', { weight: 0 }), text('location', { weight: 0 })] },
    archimate: ['BusinessActor', 'BusinessRole', 'BusinessCollaboration', 'Stakeholder'],
  }),
  cardType(layer, 'BusinessCapability', {
    description: 'What the organization is able to do, whoever does it and however it is done.',
    icon: 'account_tree',
    color: '#24418f',
    hierarchy: true,
    maxLevel: 6,
    sections: {
      general: [bool('isCoreCapability', { weight: 0 })],
      assessment: [
        select('strategicImportance', { low: tone.muted, medium: tone.info, high: tone.caution, critical: tone.bad }),
        maturity(),
      ],
    },
    archimate: ['Capability'],
  }),
  cardType(layer, 'BusinessContext', {
    description: 'A value stream, journey, product or service in which capabilities come to use.',
    icon: 'hub',
    color: '#d0508c',
    hierarchy: true,
    subtypes: ['valueStream', 'customerJourney', 'product', 'service', 'esg'],
    sections: { general: [maturity()] },
    archimate: ['ValueStream', 'BusinessService', 'BusinessInterface', 'Product', 'Contract'],
  }),
  cardType(layer, 'BusinessProcess', {
    description: 'A sequence of activities that turns an input into a result.',
    icon: 'schema',
    color: '#2c8c4b',
    hierarchy: true,
    subtypes: ['category', 'group', 'process', 'variant'],
    sections: {
      general: [
        select('processType', ['core', 'support', 'management'], { required: true, weight: 2 }),
        select('frequency', ['adHoc', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly', 'continuous']),
        url('documentationUrl', { weight: 0 }),
      ],
      assessment: [
        maturity({ weight: 2 }),
        select('automationLevel', { manual: tone.poor, partial: tone.caution, full: tone.good }),
        select('riskLevel', { low: tone.good, medium: tone.caution, high: tone.poor, critical: tone.bad }),
      ],
    },
    roles: [leadRole('process_owner', 'card.bpm_edit', 'card.bpm_approve')],
    archimate: ['BusinessProcess', 'BusinessFunction', 'BusinessInteraction', 'BusinessEvent'],
  }),
];
