import { invalid } from '../errors.js';

/** RFC 9110, 8.8.3 and 13.1.1: entity tags in a list, which may have empty elements. */
const ENTITY_TAGS =
  /^[\t ,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[\t ]*,[\t ,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[\t ,]*$/;
const ENTITY_TAG = /(W\/)?"([^"]*)"/g;
/** `12` or `12.4f3a`: only the number is compared; the rest identifies a redacted or derived view. */
const VERSION = /^([1-9]\d{0,8})(?:\.[\w-]+)?$/;

/**
 * The versions in If-Match. Weak tags never match, nor do tags in another format.
 * @returns undefined without a condition
 * @throws validation_failed for what is no list of tags
 */
export function ifMatch(header: string | undefined): ReadonlySet<number> | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  if (!ENTITY_TAGS.test(header))
    throw invalid({
      field: 'if-match',
      reason: 'must be the ETag of the resource, such as "3", a comma-separated list of them, or *',
      in: 'header',
    });
  const strong = [...header.matchAll(ENTITY_TAG)].filter(([, weak]) => weak === undefined);
  return new Set(strong.flatMap(([, , tag]) => VERSION.exec(tag!)?.[1] ?? []).map(Number));
}

/** Why tags that the service did not send do not match; undefined where all are tags as it sends them. */
export function unmatchedTags(header: string): string | undefined {
  const tags = [...header.matchAll(ENTITY_TAG)];
  if (tags.some(([, weak]) => weak !== undefined))
    return 'If-Match has a weak tag (W/"…"), which never matches. The service sends strong tags: a proxy that compresses responses weakens them.';
  return tags.every(([, , tag]) => VERSION.test(tag!))
    ? undefined
    : 'If-Match has a tag that is no ETag of the service, such as "3", and never matches.';
}
