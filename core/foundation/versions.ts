/** Where the versions of older rows continue after writes may have been lost: the versions before may have had other content. */
export interface VersionFloor {
  /** Rows with a lower id were made before; the ids of later rows were never used. */
  madeBefore: string;
  version: number;
}

/** One process serves one database. */
let floor: VersionFloor | undefined;

/** @param next as the database has it; undefined where no writes may have been lost */
export function setVersionFloor(next: VersionFloor | undefined): void {
  floor = next;
}

/** The version of a row after its next change, as the trigger `versions_continue` stores it. */
export function nextVersion({ id, version }: { id: string; version: number }): number {
  const next = version + 1;
  return floor && next < floor.version && id < floor.madeBefore ? floor.version : next;
}
