import type { Regulation } from './definition.js';

export const ISO27001: Regulation = {
  id: 'iso27001',
  title: 'ISO 27001',
  reference: 'https://www.iso.org/standard/27001',
  requirements: [
    {
      id: 'A.5.9',
      text: 'There is an inventory of assets with their owners.',
      rules: ['owner-missing', 'hosting-unstated'],
    },
    {
      id: 'A.5.12',
      text: 'Information is classified.',
      rules: ['personal-data-unclassified', 'personal-data-unstated', 'classification-missing'],
    },
    {
      id: 'A.5.14',
      text: 'Information is transferred by rules that protect it.',
      rules: ['exposed-interface', 'interface-protocol-unstated'],
    },
    {
      id: 'A.5.30',
      text: 'Information technology is ready for business continuity.',
      rules: ['single-point', 'criticality-missing'],
    },
    {
      id: 'A.5.34',
      text: 'Personal data is protected.',
      rules: ['personal-data-public', 'retention-missing', 'unclassified-personal-data-used'],
    },
    {
      id: 'A.8.8',
      text: 'Technical vulnerabilities are known and treated.',
      rules: ['known-exploited', 'release-ended', 'patch-missing'],
    },
    { id: 'A.8.14', text: 'Facilities are redundant where availability demands it.', rules: ['single-point'] },
    {
      id: 'A.8.32',
      text: 'Systems are changed before they are no longer supported.',
      rules: ['end-of-life', 'declined-component-used'],
    },
  ],
};
