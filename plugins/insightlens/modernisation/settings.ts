import { Type } from '@lintel/sdk';

/** Settings of the analysis of modernisation. */
export const ModernisationSettings = {
  modernisation_quality: Type.Integer({
    default: 40,
    minimum: 0,
    maximum: 100,
    description: 'Percentage of the data quality of a card below which it is a reason to modernise it.',
  }),
};
