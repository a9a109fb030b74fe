import type { Regulation } from './definition.js';

export const DORA: Regulation = {
  id: 'dora',
  title: 'DORA',
  reference: 'https://eur-lex.europa.eu/eli/reg/2022/2554/oj',
  requirements: [
    { id: 'Art. 5', text: 'Responsibilities for information technology are assigned.', rules: ['owner-missing'] },
    {
      id: 'Art. 7',
      text: 'Systems are reliable, up to date and fit for their load.',
      rules: ['end-of-life', 'release-ended', 'critical-on-unfit'],
    },
    {
      id: 'Art. 8',
      text: 'Functions and assets are identified and classified, with what depends on them.',
      rules: ['criticality-missing', 'classification-missing', 'hosting-unstated'],
    },
    {
      id: 'Art. 9',
      text: 'Data is protected, also in transfer, and weaknesses are patched.',
      rules: ['exposed-interface', 'interface-protocol-unstated', 'known-exploited', 'patch-missing'],
    },
    { id: 'Art. 11', text: 'Critical functions continue when a system fails.', rules: ['single-point'] },
    {
      id: 'Art. 28',
      text: 'Risks from providers of information technology are managed.',
      rules: ['declined-component-used'],
    },
  ],
};
