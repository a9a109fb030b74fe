import {
  AnyOf,
  LANGUAGE_TAG,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  SortBy,
  Strict,
  Timestamp,
  Type,
  Uuid,
  type Static,
} from '@lintel/sdk';
import { MAX_BYTES, STATES } from '../basics.js';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const Title = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const Comment = Type.String({ maxLength: 5_000, description: 'What this version changes.' });
const Count = (description?: string) => Type.Integer({ minimum: 0, ...(description !== undefined && { description }) });

export const FORM_LIMITS = { files: 1, bytes: MAX_BYTES };
/** Media types of a body that is a BPMN file. */
export const FILE_TYPES = ['application/xml', 'text/xml', 'application/bpmn+xml'];

export const ProcessParams = Strict({ card_id: Uuid() });
export const VersionParams = Strict({ card_id: Uuid(), version_id: Uuid() });

export const ProblemView = Type.Object(
  {
    severity: OneOf(['error', 'warning']),
    code: Type.String({ examples: ['dangling_reference'] }),
    message: Type.String(),
    line: Nullable(Type.Integer({ minimum: 1 })),
    element_id: Nullable(Type.String({ description: 'The id in the file.' })),
  },
  { 'x-name': 'BpmProblem' },
);
export type ProblemView = Static<typeof ProblemView>;
export const ProblemQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('position'),
  severity: Type.Optional(AnyOf(['error', 'warning'])),
});
export const ProblemPage = Page(ProblemView);

const Diagram = Type.Object({ id: Nullable(Type.String()), name: Nullable(Type.String()), index: Count() });
const SUMMARY = {
  id: Uuid(),
  card_id: Uuid(),
  revision: Type.Integer({ minimum: 1, description: 'Consecutive within the process.' }),
  state: OneOf(STATES),
  title: Type.String(),
  comment: Nullable(Type.String()),
  source: OneOf(['nothing', 'template', 'version', 'upload'], { description: 'What it was created from.' }),
  based_on: Nullable(Uuid({ description: 'The version from which links of elements were carried over.' })),
  file_name: Type.String(),
  size: Count('Bytes of the file.'),
  content_hash: Type.String({ description: 'SHA-256 of the file, hexadecimal.' }),
  element_count: Count(),
  error_count: Count('Problems of severity `error`.'),
  warning_count: Count(),
  has_interchange: Type.Boolean({
    description: 'Whether the file has the layout of its diagram; otherwise it is laid out.',
  }),
  created_by: Nullable(Uuid()),
  submitted_by: Nullable(Uuid()),
  submitted_at: Nullable(Timestamp()),
  decision: Nullable(OneOf(['approved', 'rejected', 'withdrawn'])),
  decided_by: Nullable(Uuid()),
  decided_at: Nullable(Timestamp()),
  reason: Nullable(Type.String({ description: 'Of a rejection.' })),
  published_at: Nullable(Timestamp()),
  archived_at: Nullable(Timestamp()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Type.Integer({ minimum: 1 }),
  allowed_actions: Type.Array(Type.String(), { description: 'The actions that its state allows.' }),
};
const AT = '2026-01-15T10:00:00.000Z';
const EXAMPLE = {
  id: ID,
  card_id: ID,
  revision: 1,
  state: 'draft',
  title: 'Order to cash',
  comment: null,
  source: 'upload',
  based_on: null,
  file_name: 'order.bpmn',
  size: 18_000,
  content_hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  element_count: 12,
  error_count: 0,
  warning_count: 0,
  has_interchange: true,
  created_by: ID,
  submitted_by: null,
  submitted_at: null,
  decision: null,
  decided_by: null,
  decided_at: null,
  reason: null,
  published_at: null,
  archived_at: null,
  created_at: AT,
  updated_at: AT,
  version: 1,
  allowed_actions: ['update', 'delete', 'submit'],
};
export const VersionSummary = Type.Object(SUMMARY, { 'x-name': 'BpmVersionSummary', examples: [EXAMPLE] });
export type VersionSummary = Static<typeof VersionSummary>;
export const VersionView = Type.Object(
  {
    ...SUMMARY,
    diagrams: Type.Array(Diagram, { description: 'At most 100 of the diagrams in the file.' }),
    problems: Type.Array(ProblemView, { description: 'The first 50; the list `/problems` has all that are stored.' }),
  },
  {
    'x-name': 'BpmVersion',
    examples: [{ ...EXAMPLE, diagrams: [{ id: 'Diagram_1', name: null, index: 0 }], problems: [] }],
  },
);
export type VersionView = Static<typeof VersionView>;
export const VersionPage = Page(VersionSummary);
export const VersionQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('revision', 'created_at', 'updated_at'),
  state: Type.Optional(AnyOf(STATES)),
});
export type VersionQuery = Static<typeof VersionQuery>;

export const VersionCreate = Strict(
  {
    from: OneOf(['nothing', 'template', 'version'], {
      description: 'A file is sent as the body itself, or as a form.',
    }),
    template_id: Type.Optional(Uuid()),
    version_id: Type.Optional(Uuid({ description: 'A version of the same process.' })),
    title: Type.Optional(Title),
    comment: Type.Optional(Comment),
  },
  { examples: [{ from: 'nothing', title: 'First draft' }] },
);
export type VersionCreate = Static<typeof VersionCreate>;
/** The body of a POST: JSON, or the file itself. */
export const VersionCreateBody = {
  content: {
    'application/json': { schema: VersionCreate },
    ...Object.fromEntries(
      FILE_TYPES.map((type) => [
        type,
        { schema: Type.String({ contentMediaType: type, examples: ['the bytes of a BPMN file'] }) },
      ]),
    ),
  },
};
export const FileBody = { content: Object.fromEntries(Object.entries(VersionCreateBody.content).slice(1)) };
export const FileQuery = Strict({
  title: Type.Optional({
    ...Title,
    description: 'Of an uploaded version; default: the name of the process in the file.',
  }),
  comment: Type.Optional(Comment),
  file_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Default: `process.bpmn`.' })),
});
export type FileQuery = Static<typeof FileQuery>;
export const VersionPatch = Strict(
  { title: Type.Optional(Title), comment: Type.Optional(Nullable(Comment)) },
  { examples: [{ title: 'With credit check' }] },
);
export type VersionPatch = Static<typeof VersionPatch>;

export const RejectBody = Strict(
  { reason: Type.String({ minLength: 1, maxLength: 5_000, pattern: '\\S' }) },
  { examples: [{ reason: 'The credit check is missing.' }] },
);
export const MoveBody = Nullable(
  Strict({ comment: Type.Optional(Type.String({ maxLength: 5_000 })) }, { examples: [{ comment: 'As discussed.' }] }),
);
export type MoveBody = Static<typeof MoveBody>;

export const PictureQuery = Strict({
  diagram: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'Id or index of a diagram of the file; default: that of the collaboration, otherwise the first one that is not empty.',
    }),
  ),
  width: Type.Optional(
    Type.Integer({ minimum: 100, maximum: 4_000, description: 'Pixels; default: the size of the diagram.' }),
  ),
  theme: Type.Optional(OneOf(['light', 'dark'], { default: 'light' })),
  lang: Type.Optional(
    Type.String({
      pattern: LANGUAGE_TAG,
      maxLength: 35,
      description: 'Language of descriptions and legends, BCP 47; default: the first one of the workspace.',
      examples: ['en'],
    }),
  ),
});
export type PictureQuery = Static<typeof PictureQuery>;

export const DiffQuery = Strict({
  with: Uuid({ description: 'The version before: the answer says what has changed since.' }),
  format: Type.Optional(OneOf(['json', 'svg'], { default: 'json' })),
  ...PictureQuery.properties,
});
export type DiffQuery = Static<typeof DiffQuery>;
const Change = Type.Object(
  {
    bpmn_id: Type.String(),
    kind: Type.String(),
    type: Type.String(),
    name: Nullable(Type.String()),
    before: Type.Optional(Type.Unknown()),
    after: Type.Optional(Type.Unknown()),
  },
  { 'x-name': 'BpmChange' },
);
const Changes = (description: string) => Type.Array(Change, { description });
export const DiffView = Type.Object({
  before: Type.Object({ id: Uuid(), revision: Type.Integer() }),
  after: Type.Object({ id: Uuid(), revision: Type.Integer() }),
  truncated: Type.Boolean({ description: 'Whether a list has only the first thousand of its changes.' }),
  summary: Type.Object({
    added: Count(),
    removed: Count(),
    renamed: Count(),
    rewired: Count(),
    moved: Count(),
    changed: Count(),
  }),
  added: Changes('Elements that the version before does not have.'),
  removed: Changes('Elements that only the version before has.'),
  renamed: Changes('Elements with another name.'),
  rewired: Changes('Elements whose flows have another source or target.'),
  moved: Changes('Elements in another lane or sub-process, or at another place of the diagram.'),
  changed: Changes('Elements of another type, or with another documentation or called process.'),
});

export const TemplateFileQuery = Strict({
  lang: Type.Optional(
    Type.String({
      pattern: LANGUAGE_TAG,
      maxLength: 35,
      description:
        'Language of a template that ships with the module, BCP 47; default: the first one of the workspace.',
      examples: ['en'],
    }),
  ),
});
