import type { Regulation } from './definition.js';

export const NIS2: Regulation = {
  id: 'nis2',
  title: 'NIS2',
  reference: 'https://eur-lex.europa.eu/eli/dir/2022/2555/oj',
  requirements: [
    { id: 'Art. 20', text: 'Management answers for the measures against risks.', rules: ['owner-missing'] },
    {
      id: 'Art. 21(2)(a)',
      text: 'Risks of information systems are analysed.',
      rules: ['criticality-missing', 'classification-missing'],
    },
    {
      id: 'Art. 21(2)(c)',
      text: 'Business continues when systems fail.',
      rules: ['single-point', 'critical-on-unfit'],
    },
    {
      id: 'Art. 21(2)(d)',
      text: 'Risks from suppliers and their products are under control.',
      rules: ['declined-component-used', 'hosting-unstated'],
    },
    {
      id: 'Art. 21(2)(e)',
      text: 'Systems are maintained, and vulnerabilities are handled.',
      rules: ['known-exploited', 'release-ended', 'patch-missing', 'end-of-life'],
    },
    {
      id: 'Art. 21(2)(h)',
      text: 'Encryption is used where it is needed.',
      rules: ['exposed-interface', 'interface-protocol-unstated'],
    },
    { id: 'Art. 21(2)(i)', text: 'Assets are managed.', rules: ['owner-missing', 'classification-missing'] },
  ],
};
