import { bool, cardType, cost, editorRole, integer, select, technicalSuitability, text, tone } from './fields.js';
import type { CardTypeDraft } from './fields.js';

const layer = 'application';

/** Software that supports the business, its interfaces, and the data it processes. */
export const applicationTypes: CardTypeDraft[] = [
  cardType(layer, 'Application', {
    description: 'Software that users or other software know and use as one thing.',
    icon: 'apps',
    color: '#1565c0',
    hierarchy: true,
    subtypes: ['businessApplication', 'microservice', 'aiAgent', 'deployment'],
    sections: {
      general: [
        select('hostingType', ['onPremise', 'saas', 'paas', 'iaas', 'hybrid']),
        integer('numberOfUsers', { weight: 0, filterable: true }),
        text('productName', { weight: 0 }),
        bool('commercial', { weight: 0 }),
        bool('hasAiFeatures'),
      ],
      assessment: [
        select(
          'businessCriticality',
          {
            missionCritical: tone.bad,
            businessCritical: tone.poor,
            businessOperational: tone.caution,
            administrative: tone.muted,
          },
          { required: true, weight: 2 },
        ),
        select(
          'functionalSuitability',
          {
            perfect: tone.good,
            appropriate: tone.fair,
            insufficient: tone.poor,
            unreasonable: tone.bad,
          },
          { weight: 2 },
        ),
        technicalSuitability({ weight: 2 }),
        select(
          'timeModel',
          {
            tolerate: tone.caution,
            invest: tone.good,
            migrate: tone.info,
            eliminate: tone.bad,
          },
          { required: true, weight: 3 },
        ),
      ],
      cost: [cost('costTotalAnnual', { filterable: true })],
    },
    roles: [editorRole('technical_owner'), editorRole('business_owner')],
    archimate: [
      'ApplicationComponent',
      'ApplicationCollaboration',
      'ApplicationFunction',
      'ApplicationProcess',
      'ApplicationInteraction',
      'ApplicationEvent',
    ],
  }),
  cardType(layer, 'Interface', {
    description: 'A defined way for data to pass between applications.',
    icon: 'sync_alt',
    color: '#00838f',
    subtypes: ['logical', 'api', 'file', 'event', 'mcpServer'],
    sections: {
      general: [
        select('frequency', ['realTime', 'hourly', 'daily', 'weekly', 'monthly', 'onDemand']),
        text('dataFormat', { weight: 0 }),
        text('protocol', { weight: 0 }),
      ],
    },
    archimate: ['ApplicationInterface', 'ApplicationService'],
  }),
  cardType(layer, 'DataObject', {
    description: 'Information the business knows by name, wherever it is stored.',
    icon: 'database',
    color: '#6a4fb3',
    hierarchy: true,
    sections: {
      general: [
        select('dataSensitivity', {
          public: tone.good,
          internal: tone.info,
          confidential: tone.poor,
          restricted: tone.bad,
        }),
        bool('isPersonalData'),
        integer('retentionMonths', { weight: 0, unit: 'months' }),
      ],
    },
    archimate: ['DataObject', 'BusinessObject', 'Representation'],
  }),
];
