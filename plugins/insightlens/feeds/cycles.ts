/** Which release of a product a version belongs to, and whether it has ended. */
import { begins, compareVersions, isWithin, parseVersion, type Version } from './versions.js';

/** A release of a product in a feed of end-of-life dates. */
export interface Release {
  cycle: string;
  /** As people call it, such as `2019` of `15.0`; null if that is its cycle. */
  label: string | null;
  /** YYYY-MM-DD; `true`: ended on a day that is not known; `false`: not ended; null: not stated. */
  eol: string | boolean | null;
  /** Of active support, in the same form. */
  eoas: string | boolean | null;
  latest: string | null;
}

/** Why no single release was found. */
export const VERSION_REASONS = ['no_version', 'odd_version', 'imprecise_version', 'unknown_version'] as const;
export type VersionReason = (typeof VERSION_REASONS)[number];

/** The releases a version may be of: one, or why not. */
export interface CycleMatch {
  releases: readonly Release[];
  reason: VersionReason | null;
}

const words = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^v(?=\d)/, '')
    .split(/[^\p{L}\p{N}.]+/u)
    .filter(Boolean)
    .join(' ');

/**
 * The release of a version: the one with its name, or the most exact one whose numbers it begins with. A version that is less exact than
 * the releases, such as `3` of `3.4` and `3.5`, may be any of these.
 */
export function findCycle(version: string | null, releases: readonly Release[]): CycleMatch {
  if (version === null || version.trim() === '') return { releases: [], reason: 'no_version' };
  const key = words(version);
  const named = releases.filter(({ cycle, label }) => words(cycle) === key || (label !== null && isLabel(label, key)));
  if (named.length > 0) return of(named);
  const parsed = parseVersion(version);
  if (!parsed) return { releases: [], reason: 'odd_version' };
  const read = releases.map((release) => ({ release, parsed: parseVersion(release.cycle) }));
  const within = read.filter(
    (one): one is typeof one & { parsed: Version } => !!one.parsed && isWithin(parsed, one.parsed),
  );
  const exact = Math.max(0, ...within.map((one) => exactness(one.parsed)));
  if (exact > 0) return of(within.filter((one) => exactness(one.parsed) === exact).map(({ release }) => release));
  const below = read
    .filter(
      (one) =>
        (one.parsed !== undefined && parsed.suffixes.length === 0 && begins(one.parsed, parsed)) ||
        isPart(parsed, one.release.cycle, key),
    )
    .map(({ release }) => release);
  return below.length === 0
    ? { releases: [], reason: 'unknown_version' }
    : { releases: below, reason: 'imprecise_version' };
}

const of = (releases: readonly Release[]): CycleMatch => ({
  releases,
  reason: releases.length === 1 ? null : 'imprecise_version',
});
const exactness = ({ numbers, suffixes }: Version): number => numbers.length * 10 + suffixes.length;
/** `2019`, `Windows Server 2019` and `2019 'Seattle'` name the release 2019, and `Seattle` too. */
const isLabel = (label: string, key: string): boolean =>
  ` ${words(label)}`.endsWith(` ${key}`) || `${words(label)} `.startsWith(`${key} `);
/** Half-years are parts of the names of cycles, such as `24h2` of `11-24h2-e`. */
const isPart = ({ scheme }: Version, cycle: string, key: string): boolean =>
  scheme === 'half-year' && ` ${words(cycle)} `.includes(` ${key} `);

/** Support for a release on a day. */
export type Support = 'ended' | 'ending' | 'supported' | 'unknown';

/**
 * @param day YYYY-MM-DD
 * @param soon the day until which an end is near
 * @returns the state of support: a release is supported on its last day
 */
export function supportOf({ eol }: Release, day: string, soon: string): Support {
  if (eol === null) return 'unknown';
  if (typeof eol === 'boolean') return eol ? 'ended' : 'supported';
  if (eol < day) return 'ended';
  return eol <= soon ? 'ending' : 'supported';
}

/** The common state of releases of which the version may be any; undefined if they differ. */
export function commonSupport(releases: readonly Release[], day: string, soon: string): Support | undefined {
  const [first, ...others] = new Set(releases.map((release) => supportOf(release, day, soon)));
  return others.length === 0 ? first : undefined;
}

/** Whether a version is lower than the latest one of its release, with as many numbers; false if that is not known. */
export function isBehind(version: string, { cycle, latest }: Release): boolean {
  const [own, last, line] = [version, latest ?? '', cycle].map(parseVersion);
  if (!own || !last || !line || own.numbers.length <= line.numbers.length || !isWithin(last, line)) return false;
  return (compareVersions(own, last) ?? 0) < 0;
}

/** Whether the order of the releases of a product is not known, so that only their names can be compared. */
export const isOddCycle = (cycle: string): boolean => parseVersion(cycle) === undefined;
