import { cardType, cost, date, leadRole, num, select, text, tone } from './fields.js';
import type { CardTypeDraft } from './fields.js';

const layer = 'strategy';

/** Objectives, and the initiatives and platforms that change the landscape. */
export const strategyTypes: CardTypeDraft[] = [
  cardType(layer, 'Objective', {
    description: 'A result the organization wants to reach, measurable and dated.',
    icon: 'flag',
    color: '#b23a5e',
    hierarchy: true,
    subtypes: ['strategic', 'tactical', 'operational'],
    sections: {
      general: [date('targetDate'), num('progress', { min: 0, max: 100, unit: '%' }), text('kpi')],
    },
    archimate: [
      'Goal',
      'Outcome',
      'Requirement',
      'Constraint',
      'Principle',
      'Driver',
      'Assessment',
      'CourseOfAction',
      'Meaning',
      'Value',
    ],
  }),
  cardType(layer, 'Platform', {
    description: 'A set of applications and components offered and steered as one.',
    icon: 'layers',
    color: '#12695a',
    subtypes: ['digital', 'technical'],
    archimate: ['Plateau'],
  }),
  cardType(layer, 'Initiative', {
    description: 'An undertaking with a beginning and an end that changes the landscape.',
    icon: 'rocket_launch',
    color: '#5d9732',
    hierarchy: true,
    subtypes: ['idea', 'program', 'project', 'epic'],
    sections: {
      general: [
        select(
          'initiativeStatus',
          {
            onTrack: tone.good,
            atRisk: tone.caution,
            offTrack: tone.bad,
            onHold: tone.muted,
            completed: tone.info,
          },
          { weight: 2 },
        ),
        select('businessValue', { high: tone.good, medium: tone.caution, low: tone.muted }),
        select('effort', { high: tone.bad, medium: tone.caution, low: tone.good }),
        date('startDate'),
        date('endDate', { filterable: true }),
      ],
      cost: [cost('costBudget', { filterable: true }), cost('costActual', { weight: 0 })],
    },
    roles: [leadRole('project_manager', 'card.ppm_manage')],
    archimate: ['WorkPackage', 'Deliverable', 'ImplementationEvent', 'Gap'],
  }),
];
