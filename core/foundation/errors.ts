import { Problem, problemsOf, type ErrorTable, type FieldError } from '@lintel/sdk';

/** The only table of error codes: status, title, meaning. `docs/errors.md` is generated from it. */
export const ERRORS = {
  malformed_json: [400, 'Malformed JSON', 'The body is not JSON.'],
  bad_request: [400, 'Bad request', 'The request could not be read as HTTP or as a URL.'],
  invalid_token: [401, 'Not authenticated', 'The token is missing, malformed, expired, or its session has ended.'],
  invalid_credentials: [
    401,
    'Wrong credentials',
    'E-mail and password do not match an account that may log in. The response is the same for a disabled account and for one blocked after too many wrong passwords.',
  ],
  sso_failed: [
    401,
    'Sign-in failed',
    'The sign-in by single sign-on is unknown, expired, already completed, or of another browser. Begin again; the log has the reason.',
  ],
  forbidden: [403, 'Not permitted', 'The token is valid but lacks the permission named in `required_permission`.'],
  session_required: [
    403,
    'Session required',
    'An API token cannot do this: log in with the account. It concerns accounts, passwords, sessions, tokens, permissions of others, or what would remain valid after the token has ended.',
  ],
  setup_code_required: [
    403,
    'Setup code required',
    'The first user registers from the machine of the service, or with the one-time `setup_code` from its log.',
  ],
  registration_disabled: [
    403,
    'Registration is switched off',
    'In this workspace only administrators can create accounts.',
  ],
  not_found: [404, 'Not found', 'The path or resource does not exist, or is not visible to the caller.'],
  method_not_allowed: [
    405,
    'Method not allowed',
    'The path exists, but not with this method; the Allow header lists its methods.',
  ],
  request_timeout: [
    408,
    'Request timeout',
    'The request body did not arrive completely in time: within 30 seconds, or 15 minutes for an upload.',
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
    'The card has children (`child_count`); set `child_strategy` to specify what happens to them.',
  ],
  cycle: [409, 'Cycle', 'The move would make the card its own ancestor.'],
  relation_exists: [409, 'Relation exists', 'A relation of this type between these cards already exists.'],
  cardinality: [409, 'Cardinality', 'The relation type allows only one relation at this end, and it already exists.'],
  identity_taken: [409, 'Identity taken', 'This identity already signs in as a user, possibly this one.'],
  email_taken: [409, 'E-mail taken', 'Another account uses this e-mail address.'],
  invitation_exists: [
    409,
    'Invitation exists',
    'An invitation to this e-mail address is pending; resend or withdraw it.',
  ],
  mail_unavailable: [
    409,
    'Mail is not set up',
    'A mail with a link is needed, and the mail server (`/settings/smtp`) or `PUBLIC_URL` is not set; `missing` names what.',
  ],
  last_admin: [409, 'Last administrator', 'The workspace would be left without an active administrator.'],
  stakeholder_exists: [409, 'Stakeholder exists', 'The user already has this role on the card.'],
  key_taken: [409, 'Key taken', 'Another resource of this kind has this key.'],
  limit_reached: [
    409,
    'Limit reached',
    'The maximum number (`limit`) is reached: per card see the setting `card_limits`, per user see `detail`.',
  ],
  in_use: [409, 'In use', 'It is still in use; `counts` lists by what, and how often.'],
  approval_blocked: [409, 'Approval blocked', 'Required for approval, but missing; `missing` lists the items.'],
  patch_test_failed: [409, 'Test failed', 'A `test` operation of the JSON Patch failed; nothing was changed.'],
  four_eyes: [409, 'Four eyes', 'The card type requires approval by another user than the last editor.'],
  idempotency_in_progress: [409, 'Still running', 'A request with this Idempotency-Key is being processed.'],
  invalid_state: [409, 'Not possible in this state', 'The current state of the resource does not allow the action.'],
  module_in_use: [
    409,
    'Module in use',
    'Enabled modules require this one (`required_by`), or it requires disabled ones (`requires`).',
  ],
  precondition_failed: [
    412,
    'Stale version',
    'If-Match does not match `current_version`; `changed_fields` lists the differences.',
  ],
  payload_too_large: [413, 'Body too large', 'The body exceeds the limit of this route.'],
  body_too_complex: [
    413,
    'Body too complex',
    'The body contains more values, including keys, than this route accepts (`limit`), or a bulk contains too many different keys.',
  ],
  unsupported_media_type: [415, 'Unsupported media type', 'The route does not accept this Content-Type.'],
  validation_failed: [
    422,
    'Validation failed',
    '`errors` lists the invalid fields with reasons, at most 100; `has_more_errors` indicates that there are more.',
  ],
  idempotency_key_reused: [422, 'Idempotency-Key reused', 'The key was used with a different request within 24 hours.'],
  invalid_cursor: [422, 'Invalid cursor', 'The cursor is damaged or belongs to another query.'],
  too_expensive: [
    422,
    'Too expensive',
    'The database query took too long, or its rows were too large, and was cancelled; narrow the request.',
  ],
  link_invalid: [
    422,
    'Link not valid',
    'The token of the link is unknown, already used, withdrawn or expired, or what it allows is no longer possible. Request a new mail.',
  ],
  outbound_refused: [
    422,
    'Address refused',
    'The service may not connect to this address: it is not http or https, or it is not public and not listed in OUTBOUND_ALLOW.',
  ],
  outbound_failed: [
    424,
    'External request failed',
    'An external system did not respond, or its response cannot be used.',
  ],
  precondition_required: [
    428,
    'If-Match required',
    'This route, or a workspace setting for all changes, requires If-Match.',
  ],
  rate_limited: [429, 'Too many requests', 'Retry after the number of seconds in Retry-After.'],
  headers_too_large: [431, 'Headers too large', 'The header section of the request exceeds 16 KiB.'],
  internal_error: [500, 'Internal error', 'An internal error; the log contains it with the request id.'],
  busy: [503, 'Busy', 'The node, or the caller, has too many large requests in progress; retry after Retry-After.'],
  storage_full: [
    503,
    'Storage full',
    'There is too little disk space for the database. Reads, log-ins and deletions still work; writes are accepted again once there is enough space.',
  ],
  unavailable: [
    503,
    'Unavailable',
    'The database is unavailable, the service is stopping, or too many tasks of the kind are queued; retry after Retry-After.',
  ],
} as const satisfies ErrorTable;

/** Creates the problem for a code of the table; the caller throws it. */
export const problem = problemsOf(ERRORS);

/** Maximum number of invalid fields that a response lists. */
export const MAX_FIELD_ERRORS = 100;
/** The reason of the entry that represents the errors not listed. */
export const MORE_ERRORS = `has more errors: validation stops after ${MAX_FIELD_ERRORS}`;

/** A 422 for schema violations of a request: lists the first 100 fields and states whether there are more. */
export function validationFailed(errors: readonly FieldError[]): Problem {
  const known = errors.filter(({ reason }) => reason !== MORE_ERRORS);
  const listed = known.slice(0, MAX_FIELD_ERRORS);
  if (listed.length < errors.length) {
    return problem('validation_failed', {
      detail: `The first ${listed.length} invalid fields are listed, and there are more: validation stops after ${MAX_FIELD_ERRORS}.`,
      errors: listed,
      has_more_errors: true,
    });
  }
  return invalid(...listed);
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
