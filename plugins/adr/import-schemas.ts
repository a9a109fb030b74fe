import { FilesForm, Nullable, OneOf, Strict, Type, Uuid, type Static } from '@lintel/sdk';

/** Limits of a request. */
export const FORM_LIMITS = { files: 1_000, bytes: 20 * 1024 * 1024 };

export const ImportBody = FilesForm('files', 'Markdown files, or ZIP archives of them.');

export const ImportQuery = Strict({
  source: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^\\S[^\\p{Cc}]*$',
      description:
        'Names the collection the files are of, such as a repository: the same path in another collection is another decision.',
    }),
  ),
  status: Type.Optional(
    Type.Union([Type.Literal('mapped'), Type.Literal('draft')], {
      description:
        'mapped, the default: accepted records are signed and superseded ones superseded, where the caller may sign and four eyes are off; draft: all are drafts.',
    }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Returns the verdicts and stores nothing.' })),
});
export type ImportQuery = Static<typeof ImportQuery>;

const OUTCOMES = ['created', 'updated', 'unchanged', 'conflict', 'skipped', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];
const Count = () => Type.Integer({ minimum: 0 });

const Verdict = Type.Object(
  {
    file: Type.String({ description: 'Its path.' }),
    outcome: OneOf(OUTCOMES, {
      description:
        'conflict: the file has changed and so has the decision, which stays; skipped: it is no record; failed: it cannot be read.',
    }),
    id: Nullable(Uuid({ description: 'Id of the decision; null if there is none, as in a dry run.' })),
    number: Nullable(Type.String()),
    reason: Nullable(Type.String({ description: 'Why it was not imported.' })),
    warnings: Type.Array(Type.String()),
  },
  { 'x-name': 'AdrImportVerdict' },
);

export const ImportResult = Type.Object(
  {
    summary: Type.Object({
      created: Count(),
      updated: Count(),
      unchanged: Count(),
      conflict: Count(),
      skipped: Count(),
      failed: Count(),
    }),
    results: Type.Array(Verdict, { description: 'One for each file, in the order of paths.' }),
  },
  {
    examples: [
      {
        summary: { created: 1, updated: 0, unchanged: 0, conflict: 0, skipped: 0, failed: 0 },
        results: [
          {
            file: 'docs/adr/0001-use-postgresql.md',
            outcome: 'created',
            id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b',
            number: 'ADR-0001',
            reason: null,
            warnings: [],
          },
        ],
      },
    ],
  },
);
export type ImportResult = Static<typeof ImportResult>;

/** A verdict as stored for replayed requests. */
export interface FileVerdict {
  file: string;
  outcome: Outcome;
  id: string | null;
  number: number | null;
  reason: string | null;
  warnings: string[];
}
