import { Type, type Static, type TObject } from 'typebox';
import { Page, PageQuery, SortBy } from '../page-parameters.js';
import { Nullable, Strict, Timestamp, Uuid } from '../schemas.js';
import { FOUR_EYES, STATUSES, type DocumentStatus, type FourEyes } from './spec.js';

/** Text with line breaks. */
const Words = (description: string) => Type.String({ maxLength: 2_000, description });

/** Schema of the status of a document. */
export const DocumentStatusField = () =>
  Type.Unsafe<DocumentStatus>(
    Type.String({
      enum: STATUSES,
      description: 'draft → in_review → signed → superseded; only a draft can be changed or deleted.',
    }),
  );

/** Schema of a signatory. */
export const Signatory = Type.Object({
  user_id: Nullable(Uuid({ description: 'null if the account was deleted.' })),
  display_name: Type.String(),
  status: Type.String({ enum: ['pending', 'signed'] }),
  signed_at: Nullable(Timestamp()),
  comment: Nullable(Type.String()),
});
/** A signatory, with or without signature. */
export type Signatory = Static<typeof Signatory>;

/** The lifecycle members of the view of a document; spread them into the module's schema. */
export const LifecycleFields = {
  status: DocumentStatusField(),
  revision: Type.Integer({ minimum: 1, description: 'Counts the documents of one number.' }),
  revision_of: Nullable(Uuid({ description: 'The signed document this one revises.' })),
  content_hash: Nullable(
    Type.String({ description: 'SHA-256 over the content, frozen when signatures were requested; null for a draft.' }),
  ),
  signed_at: Nullable(Timestamp()),
  signatories: Type.Array(Signatory, { description: 'In the order they were named; none for a draft.' }),
};
/** `LifecycleFields` as JSON has them. */
export type LifecycleView = Static<TObject<typeof LifecycleFields>>;

/** An example to spread into the example of the module's view. */
export const LIFECYCLE_EXAMPLE: LifecycleView = {
  status: 'draft',
  revision: 1,
  revision_of: null,
  content_hash: null,
  signed_at: null,
  signatories: [],
};

/** A setting of the module for the rule of four eyes. */
export const FourEyesSetting = (initial: FourEyes = 'off') =>
  Type.Unsafe<FourEyes>(
    Type.String({
      enum: FOUR_EYES,
      default: initial,
      description:
        'off: the author may sign alone; another: another user must sign too; others_only: the author does not sign.',
    }),
  );

export const RequestSignatures = Strict(
  {
    user_ids: Type.Array(Uuid(), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'The signatories: active users with the permission to sign.',
    }),
    message: Type.Optional(Words('A message to the signatories.')),
  },
  { examples: [{ user_ids: ['0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b'], message: 'Please sign by Friday.' }] },
);
export type RequestSignatures = Static<typeof RequestSignatures>;

export const Sign = Strict(
  { comment: Type.Optional(Words('A comment stored with the signature.')) },
  { examples: [{ comment: 'Agreed.' }] },
);
export type Sign = Static<typeof Sign>;

export const Reject = Strict(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 2_000,
      pattern: '\\S',
      description: 'The reason: what must be changed.',
    }),
  },
  { examples: [{ reason: 'The second option is missing.' }] },
);
export type Reject = Static<typeof Reject>;

export const RevisionQuery = Strict({ ...PageQuery, sort_by: SortBy('revision') });
export type RevisionQuery = Static<typeof RevisionQuery>;

export const RevisionView = Type.Object({
  id: Uuid(),
  revision: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  status: DocumentStatusField(),
  created_at: Timestamp(),
  signed_at: Nullable(Timestamp()),
  content_hash: Nullable(Type.String()),
});
export type RevisionView = Static<typeof RevisionView>;
export const RevisionPage = Page(RevisionView);

/** Content of the events of a document's lifecycle, by event type. */
export function lifecycleEvents(kind: string) {
  const move = {
    version: Type.Integer(),
    changes: Type.Array(Type.Object({ field: Type.String(), old: Type.Unknown(), new: Type.Unknown() })),
  };
  return {
    [`${kind}.signatures_requested`]: Type.Object({
      ...move,
      user_ids: Type.Array(Type.String()),
      message: Nullable(Type.String()),
      content_hash: Type.String(),
    }),
    [`${kind}.signature_given`]: Type.Object({
      ...move,
      comment: Nullable(Type.String()),
      content_hash: Type.String(),
      pending: Type.Integer(),
    }),
    [`${kind}.signed`]: Type.Object({ ...move, revision: Type.Integer(), content_hash: Type.String() }),
    [`${kind}.rejected`]: Type.Object({ ...move, reason: Type.String() }),
    [`${kind}.recalled`]: Type.Object(move),
    [`${kind}.revised`]: Type.Object({ ...move, revision: Type.Integer(), revision_of: Type.String() }),
    [`${kind}.superseded`]: Type.Object({ ...move, superseded_by: Type.String() }),
  };
}
