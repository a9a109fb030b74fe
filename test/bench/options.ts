import { parseArgs } from 'node:util';

/** The amount of data, and the time a run may take. */
export interface Scale {
  cards: number;
  relationsPerCard: number;
  /** Seconds for one side of a comparison, all rounds together. */
  seconds: number;
  /** The whole run ends within so many seconds. */
  limitSeconds: number;
  /** Number of samples where requests are measured one at a time. */
  samples: number;
  /** Number of bulk requests of 10,000 operations. */
  bulks: number;
  /** Number of starts on an existing database. */
  restarts: number;
  /** Number of concurrent receivers of the event stream. */
  receivers: number;
}

export const SCALES = {
  S: {
    cards: 10_000,
    relationsPerCard: 5,
    seconds: 0.5,
    limitSeconds: 58,
    samples: 30,
    bulks: 1,
    restarts: 1,
    receivers: 2_000,
  },
  M: {
    cards: 100_000,
    relationsPerCard: 5,
    seconds: 2.4,
    limitSeconds: 235,
    samples: 100,
    bulks: 3,
    restarts: 3,
    receivers: 10_000,
  },
  XL: {
    cards: 1_000_000,
    relationsPerCard: 5,
    seconds: 6,
    limitSeconds: 1_800,
    samples: 200,
    bulks: 10,
    restarts: 3,
    receivers: 10_000,
  },
} as const satisfies Record<string, Scale>;

export type Size = keyof typeof SCALES;

export interface Options {
  size: Size;
  scale: Scale;
  /** Names of the sections to run; all if empty. */
  only: string[];
  /** Path of the JSON file with the figures. */
  json: string;
  /** Folder for a CPU profile of the service; none is recorded if undefined. */
  profile: string | undefined;
}

export const USAGE = `node dist/test/bench/run.js [--size S|M|XL] [--only name,…] [--seconds n] [--json file] [--profile folder]`;

/**
 * Reads the command line.
 * @param sections the names `--only` may have
 * @throws for an unknown size or section, and for a number out of bounds
 */
export function readOptions(args: string[], sections: readonly string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      size: { type: 'string', default: 'S' },
      only: { type: 'string' },
      json: { type: 'string' },
      seconds: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const { size, seconds } = values;
  if (!isSize(size)) throw new Error(`--size must be one of ${Object.keys(SCALES).join(', ')}, not ${size}`);
  if (seconds !== undefined && !(Number(seconds) > 0 && Number(seconds) <= 60))
    throw new Error(`--seconds must be more than 0 and at most 60, not ${seconds}`);
  const only = (values.only ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = only.find((name) => !sections.includes(name));
  if (unknown !== undefined) throw new Error(`--only knows ${sections.join(', ')}, not ${unknown}`);
  const scale: Scale = { ...SCALES[size], ...(seconds !== undefined && { seconds: Number(seconds) }) };
  return { size, scale, only, json: values.json ?? `dist/bench-${size}.json`, profile: values.profile };
}

const isSize = (text: string): text is Size => Object.hasOwn(SCALES, text);
