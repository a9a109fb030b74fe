/** The vocabulary of generated names and descriptions: 180 words, the first ones frequent, as in real inventories. */
const VOCABULARY = `service platform data customer management system order process payment report portal billing account
product contract supply partner market finance asset invoice planning document archive claim policy quality delivery
warehouse shipping pricing identity access network storage backup monitoring gateway catalog inventory workflow campaign
analytics forecast budget ledger treasury audit compliance risk privacy consent survey feedback support ticket incident
change release deployment pipeline registry cluster container function queue stream event message topic channel broker
mapping schema dictionary glossary metadata lineage retention export import transfer exchange interface adapter connector
bridge hub router switch firewall proxy balancer cache index search ranking matching scoring rating review approval
signature certificate credential token session profile preference notification reminder calendar schedule booking
reservation itinerary fleet vehicle route depot terminal station sensor meter device firmware telemetry control signal
maintenance repair inspection warranty return refund discount voucher loyalty reward member subscription renewal
cancellation dispute settlement clearing custody collateral mortgage pension annuity premium underwriting actuary broking
hospital patient clinic therapy pharmacy laboratory specimen trial enrolment campus library faculty curriculum grading
tuition alumni recruiting onboarding payroll benefit pattern policyholder tariff vendor workforce`
  .split(/\s+/)
  .slice(0, 180);

/** In about 30 cards, whatever their total. */
export const RARE_WORD = 'xylograph';
/** In about 86 % of the cards. */
export const COMMON_WORD = VOCABULARY[0]!;
/** In about 7 % of the cards. */
export const MIDDLING_WORD = VOCABULARY[119]!;

/** Pseudo-random numbers from 0 to below 1, the same in every run: mulberry32. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns a function that draws an item with the given weights. */
export function weighted<T>(things: readonly T[], weight: (index: number) => number): (random: () => number) => T {
  const sums: number[] = [];
  things.forEach((_, i) => sums.push((sums.at(-1) ?? 0) + weight(i)));
  const total = sums.at(-1)!;
  return (random) => {
    const at = random() * total;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > at) high = middle;
      else low = middle + 1;
    }
    return things[low]!;
  };
}

// The first word is 8 % of all draws, so that 86 % of the descriptions of 23 words contain it; the others follow Zipf's law.
const draw = weighted(VOCABULARY, (i) => (i === 0 ? 0.8 : 1 / (i + 12) ** 0.7));

/** @param count how many words */
export function words(random: () => number, count: number): string {
  let text = draw(random);
  for (let i = 1; i < count; i++) text += ` ${draw(random)}`;
  return text;
}

/** The words of names are drawn evenly, because with weights thousands of siblings would have the same name. */
export function nameWords(random: () => number): string {
  const count = 3 + Math.floor(random() * 3);
  const parts = Array.from({ length: count }, () => VOCABULARY[Math.floor(random() * VOCABULARY.length)]!);
  parts[0] = parts[0]![0]!.toUpperCase() + parts[0]!.slice(1);
  return parts.join(' ');
}
