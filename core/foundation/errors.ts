import { Problem, problemsOf, type ErrorTable, type FieldError } from '@lintel/sdk';

/** The only table of error codes: status, title, meaning. `docs/errors.md` is generated from it. */
export const ERRORS = {
  malformed_json: [400, 'Malformed JSON', 'The body is not JSON.'],
  bad_request: [400, 'Bad request', 'The request could not be read as HTTP or as a URL.'],
  invalid_token: [401, 'Not authenticated', 'The token is missing, malformed, expired, or its session has ended.'],
  invalid_credentials: [
    401,
    'Wrong credentials',
    'E-mail and password do not match an account that may log in. A disabled account, and one whose password was wrong too often, answers the same.',
  ],
  forbidden: [403, 'Not permitted', 'The token is valid but lacks the permission named in `required_permission`.'],
  setup_code_required: [
    403,
    'Setup code required',
    'The first user registers from the machine of the service, or sends the one-time `setup_code` that its log has.',
  ],
  registration_disabled: [
    403,
    'Registration is switched off',
    'Accounts are made by an administrator in this workspace.',
  ],
  not_found: [404, 'Not found', 'No such path or resource, or it is not visible to the caller.'],
  method_not_allowed: [405, 'Method not allowed', 'The path exists; the methods it has are in the Allow header.'],
  request_timeout: [
    408,
    'Request timeout',
    'The request did not arrive whole in time: 30 seconds, or 15 minutes for an upload.',
  ],
  conflict: [409, 'Conflict', 'The change contradicts the stored state.'],
  name_taken: [409, 'Name taken', 'An active sibling of the same type, or another tag or tag group, has this name.'],
  external_id_taken: [
    409,
    'External id taken',
    'Another card of this type has this external id, archived cards included.',
  ],
  children_present: [
    409,
    'Children present',
    'The card has children (`child_count`); say with `child_strategy` what becomes of them.',
  ],
  cycle: [409, 'Cycle', 'The move would make the card its own ancestor.'],
  relation_exists: [409, 'Relation exists', 'A relation of this type between these cards exists.'],
  cardinality: [409, 'Cardinality', 'The relation type allows one relation at this end, and there is one.'],
  email_taken: [409, 'E-mail taken', 'Another account uses this e-mail address.'],
  last_admin: [409, 'Last administrator', 'The workspace would be left without an active administrator.'],
  stakeholder_exists: [409, 'Stakeholder exists', 'The user holds this role on the card already.'],
  key_taken: [409, 'Key taken', 'Another resource of this kind has this key.'],
  limit_reached: [
    409,
    'Limit reached',
    'There are as many of these as there may be (`limit`): of a card by the setting `card_limits`, of a user as the detail says.',
  ],
  in_use: [409, 'In use', 'Something still uses it; `counts` say what, and how often.'],
  approval_blocked: [
    409,
    'Approval blocked',
    'What the card must have before it is approved is not there; `missing` lists it.',
  ],
  patch_test_failed: [409, 'Test failed', 'A `test` of the JSON Patch does not hold; nothing was changed.'],
  four_eyes: [409, 'Four eyes', 'The card type wants somebody else than the last editor to approve.'],
  idempotency_in_progress: [409, 'Still running', 'A request with this Idempotency-Key is being processed.'],
  invalid_state: [409, 'Not possible in this state', 'The resource is in a state that does not allow the action.'],
  module_in_use: [
    409,
    'Module in use',
    'Enabled modules require this one (`required_by`), or it requires one that is off (`requires`).',
  ],
  precondition_failed: [
    412,
    'Stale version',
    'If-Match names another version than `current_version`; `changed_fields` differ.',
  ],
  payload_too_large: [413, 'Body too large', 'The body passes the limit of this route.'],
  body_too_complex: [
    413,
    'Body too complex',
    'The body holds more values, keys included, than this route takes (`limit`), or a bulk too many different keys.',
  ],
  unsupported_media_type: [415, 'Unsupported media type', 'The route does not read this Content-Type.'],
  validation_failed: [
    422,
    'Validation failed',
    '`errors` lists every invalid field with its reason, 100 at most; `has_more_errors` says that there are more.',
  ],
  idempotency_key_reused: [422, 'Idempotency-Key reused', 'The key was used with another request within 24 hours.'],
  invalid_cursor: [422, 'Invalid cursor', 'The cursor is damaged or belongs to another query.'],
  too_expensive: [422, 'Too expensive', 'The request was given up after a minute in the database; narrow it.'],
  outbound_refused: [
    422,
    'Address refused',
    'The service may not call this address: it is not one of http or https, or not public and not in OUTBOUND_ALLOW.',
  ],
  outbound_failed: [
    424,
    'Outside request failed',
    'A system outside did not answer, or with something that cannot be used.',
  ],
  precondition_required: [428, 'If-Match required', 'This route, or this workspace for all changes, demands If-Match.'],
  rate_limited: [429, 'Too many requests', 'Wait for the seconds in Retry-After.'],
  headers_too_large: [431, 'Headers too large', 'The header section of the request passes 16 KiB.'],
  internal_error: [500, 'Internal error', 'A fault of the service; the log has it under the request id.'],
  busy: [
    503,
    'Busy',
    'Too many large requests are being read or worked on, by the node or by the caller; try again after Retry-After.',
  ],
  storage_full: [
    503,
    'Storage full',
    'There is too little space left where the database is. Reads, log-ins and deletions go on; writes again once there is more.',
  ],
  unavailable: [
    503,
    'Unavailable',
    'The database is away, the service is stopping, or too much of the kind is waiting; try again after Retry-After.',
  ],
} as const satisfies ErrorTable;

export type ErrorCode = keyof typeof ERRORS;

/** Creates the problem for a code of the table; the caller throws it. */
export const problem = problemsOf(ERRORS);

/** Maximum number of invalid fields that a response lists. */
export const MAX_FIELD_ERRORS = 100;
/** The reason of the entry that represents the errors not listed. */
export const MORE_ERRORS = `has more errors: validation stops after ${MAX_FIELD_ERRORS}`;

/** A 422 for schema violations of a request: lists the first 100 fields and states whether there are more. */
export function validationFailed(errors: readonly FieldError[]): Problem {
  const known = errors.filter(({ reason }) => reason !== MORE_ERRORS);
  const told = known.slice(0, MAX_FIELD_ERRORS);
  if (told.length < errors.length) {
    return problem('validation_failed', {
      detail: `The first ${told.length} invalid fields are told, and there are more: validation stops after ${MAX_FIELD_ERRORS}.`,
      errors: told,
      has_more_errors: true,
    });
  }
  return invalid(...told);
}

/** A 422 for fields of the body; `field` is a JSON pointer. */
export function invalid(...errors: (Omit<FieldError, 'in'> & { in?: FieldError['in'] })[]): Problem {
  return problem('validation_failed', {
    detail: `${errors.length} invalid field${errors.length === 1 ? '' : 's'}`,
    errors: errors.map((e) => ({ in: 'body', ...e })),
  });
}

export { Problem };
export type { FieldError };
