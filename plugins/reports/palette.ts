/** Colours by Okabe and Ito, which can be told apart with colour blindness. */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442', '#999999'] as const;

/** The colour of what has none: the same place has the same colour. @param place from 0 */
export const paletteColor = (place: number): string => COLORS[place % COLORS.length]!;

/** The colour of cards without a value. */
export const NO_VALUE_COLOR = '#bdbdbd';
