/** The origin of the changes of cards by roll-ups. */
export const ORIGIN = 'ppm';

/** Fields of the card that plans compute, and whether they are amounts. */
export const CARD_FIELDS = { costBudget: true, costActual: true, startDate: false, endDate: false } as const;
export type CardField = keyof typeof CARD_FIELDS;
export const FIELD_KEYS = Object.keys(CARD_FIELDS) as CardField[];
