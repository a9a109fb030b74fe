/** The scale of an axis of numbers: round limits and steps. */

export interface Scale {
  min: number;
  max: number;
  step: number;
  ticks: readonly number[];
}

/** The least of 1, 2, 2.5, 5 and 10 times a power of ten that is at least `raw`. */
function roundStep(raw: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  const factors = isWhole && power <= 1 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10];
  const step = power * (factors.find((factor) => factor * power >= raw * 0.999_999) ?? 10);
  return isWhole ? Math.max(step, 1) : step;
}

/**
 * A scale that contains both values.
 * @param count the number of steps, about
 * @param isWhole whether only whole numbers are shown
 */
export function scaleOf(from: number, to: number, count: number, isWhole: boolean): Scale {
  const [low, high] = from < to ? [from, to] : [Math.min(from, 0), to > 0 ? to : from < 0 ? 0 : 1];
  const step = roundStep((high - low) / count, isWhole);
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  // Multiplied, not added, so that the errors of binary fractions do not add up.
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  return { min: ticks[0]!, max: ticks.at(-1)!, step, ticks };
}

/** The value if it is a number that can be drawn; undefined for null and infinities. */
export const drawable = (value: number | null | undefined): number | undefined =>
  typeof value === 'number' && Math.abs(value) < 1e300 ? value : undefined;
