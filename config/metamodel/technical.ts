import { bool, cardType, cost, date, select, technicalSuitability, text, tone, url } from './fields.js';
import type { CardTypeDraft } from './fields.js';

const layer = 'technical';

/** Technical components, their categories, and their providers. */
export const technicalTypes: CardTypeDraft[] = [
  cardType(layer, 'ITComponent', {
    description: 'Software, hardware or a service that applications are built on.',
    icon: 'memory',
    color: '#8d5a3b',
    hierarchy: true,
    subtypes: ['software', 'hardware', 'saas', 'paas', 'iaas', 'service', 'aiModel'],
    sections: {
      general: [
        text('version', { weight: 0 }),
        text('licenseType', { weight: 0 }),
        bool('hasAiFeatures', { weight: 0 }),
      ],
      assessment: [
        technicalSuitability({ weight: 2 }),
        select(
          'resourceClassification',
          {
            standard: tone.good,
            phaseIn: tone.info,
            tolerated: tone.caution,
            phaseOut: tone.poor,
            declined: tone.bad,
          },
          { weight: 2 },
        ),
      ],
      cost: [cost('costTotalAnnual', { filterable: true })],
    },
    archimate: [
      'Node',
      'Device',
      'SystemSoftware',
      'TechnologyCollaboration',
      'TechnologyInterface',
      'TechnologyFunction',
      'TechnologyProcess',
      'TechnologyInteraction',
      'TechnologyEvent',
      'TechnologyService',
      'Path',
      'CommunicationNetwork',
      'Artifact',
      'Equipment',
      'Facility',
      'DistributionNetwork',
      'Material',
      'Resource',
    ],
  }),
  cardType(layer, 'TechCategory', {
    description: 'A class of technology, such as databases or operating systems.',
    icon: 'category',
    color: '#ad6a4c',
    hierarchy: true,
  }),
  cardType(layer, 'Provider', {
    description: 'A vendor, partner or internal unit that supplies software, hardware or services.',
    icon: 'storefront',
    color: '#c98a1b',
    hierarchy: true,
    subtypes: ['vendor', 'partner', 'internal'],
    sections: { general: [url('website', { weight: 0 }), date('contractEnd', { weight: 0, filterable: true })] },
  }),
];
