import type { Regulation } from './definition.js';

export const EU_AI_ACT: Regulation = {
  id: 'eu-ai-act',
  title: 'EU AI Act',
  reference: 'https://eur-lex.europa.eu/eli/reg/2024/1689/oj',
  requirements: [
    {
      id: 'Art. 6',
      text: 'Systems of artificial intelligence are known and classified by their risk.',
      rules: ['ai-unstated', 'ai-criticality-missing'],
    },
    {
      id: 'Art. 10',
      text: 'Data that such systems use is governed, personal data in particular.',
      rules: ['ai-personal-data', 'unclassified-personal-data-used'],
    },
    {
      id: 'Art. 15',
      text: 'Such systems are robust and protected against attacks.',
      rules: ['known-exploited', 'release-ended'],
    },
    {
      id: 'Art. 26',
      text: 'Deployers assign the oversight of such systems to competent people.',
      rules: ['owner-missing'],
    },
  ],
};
