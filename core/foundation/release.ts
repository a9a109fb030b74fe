import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface Release {
  version: string;
  license: string;
  /** Present where the service runs from a git checkout. */
  commit: string | undefined;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The running release: version from package.json and commit of the checkout, read once. */
export const RELEASE: Release = readRelease(ROOT);

/** @param root folder of package.json */
function readRelease(root: string): Release {
  const { version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
    license: string;
  };
  return { version, license, commit: readCommit(path.join(root, '.git')) };
}

/** HEAD contains a commit, or a branch whose commit is in its own file or in packed-refs. */
function readCommit(git: string): string | undefined {
  const read = (file: string): string => {
    // Without a readable checkout the service runs without commit information.
    try {
      return readFileSync(path.join(git, file), 'utf8');
    } catch {
      return '';
    }
  };
  const head = read('HEAD').trim();
  const branch = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  const found = branch
    ? read(branch).trim() ||
      read('packed-refs')
        .split('\n')
        .find((line) => line.endsWith(` ${branch}`))
        ?.split(' ')[0]
    : head;
  return found && /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(found) ? found : undefined;
}
