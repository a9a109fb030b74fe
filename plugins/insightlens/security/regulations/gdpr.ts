import type { Regulation } from './definition.js';

export const GDPR: Regulation = {
  id: 'gdpr',
  title: 'GDPR',
  reference: 'https://eur-lex.europa.eu/eli/reg/2016/679/oj',
  requirements: [
    {
      id: 'Art. 5(1)(e)',
      text: 'Personal data is kept no longer than its purpose needs.',
      rules: ['retention-missing'],
    },
    { id: 'Art. 5(2)', text: 'Someone answers for the processing of personal data.', rules: ['owner-missing'] },
    {
      id: 'Art. 25',
      text: 'Protection of personal data is part of the design of systems.',
      rules: ['personal-data-public', 'exposed-interface', 'interface-protocol-unstated'],
    },
    {
      id: 'Art. 30',
      text: 'There is a record of what personal data is processed, and where.',
      rules: ['personal-data-unstated', 'personal-data-unclassified', 'unclassified-personal-data-used'],
    },
    {
      id: 'Art. 32',
      text: 'Processing is as secure as its risk demands.',
      rules: ['exposed-interface', 'known-exploited', 'release-ended', 'patch-missing'],
    },
    { id: 'Art. 35', text: 'Processing of high risk is assessed beforehand.', rules: ['ai-personal-data'] },
  ],
};
