import type { Regulation } from './definition.js';

export const SOC2: Regulation = {
  id: 'soc2',
  title: 'SOC 2',
  reference: 'https://www.aicpa-cima.com/topic/audit-assurance/audit-and-assurance-greater-than-soc-2',
  requirements: [
    { id: 'CC1.3', text: 'Authority and responsibility are assigned.', rules: ['owner-missing'] },
    {
      id: 'CC3.2',
      text: 'Risks are identified and analysed.',
      rules: ['criticality-missing', 'classification-missing'],
    },
    {
      id: 'CC6.7',
      text: 'Information is protected while it is transferred.',
      rules: ['exposed-interface', 'interface-protocol-unstated'],
    },
    {
      id: 'CC7.1',
      text: 'New vulnerabilities are detected.',
      rules: ['known-exploited', 'release-ended', 'patch-missing'],
    },
    { id: 'CC9.2', text: 'Risks from vendors are managed.', rules: ['declined-component-used'] },
    { id: 'A1.2', text: 'The infrastructure is available as agreed.', rules: ['single-point', 'end-of-life'] },
    {
      id: 'C1.1',
      text: 'Confidential information is identified.',
      rules: ['personal-data-unclassified', 'personal-data-public'],
    },
    { id: 'P4.2', text: 'Personal information is retained only as long as needed.', rules: ['retention-missing'] },
  ],
};
