import { Type } from 'typebox'
import { undoBody, undoReply } from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import { appFields, EpochSeconds, reply, strict, Text, oneOf } from '#contract/fields.ts'
import { Level } from '#contract/level-field.ts'
import {
  cellLengths,
  maxImportRows,
  maxSubscriptionsPerUser,
  rowsPerBatch,
  importKinds,
  importSources,
  conflictChoices,
  durationUnits,
} from './imported-rows.rules.ts'
import { maxLevelNameLength } from '#features/levels/levels.rules.ts'
import { importsErrors, rowErrors } from './imports.errors.ts'

/** Licenses and users of another service. */

const Kind = oneOf(importKinds)

const Cell = (name: keyof typeof cellLengths) => Text(cellLengths[name])

const Row = Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Number of the row in the file, from 1' })
const Duplicate = Type.Optional(
  Type.Boolean({ description: 'An earlier row of the file has the same name: the row is skipped' }),
)

const LicenseRow = strict({
  row: Row,
  key: Cell('key'),
  level: Cell('level'),
  duration: Cell('duration'),
  notes: Type.Optional(Cell('notes')),
  status: Type.Optional(Cell('status')),
  duplicate: Duplicate,
})

const UserRow = strict({
  row: Row,
  username: Cell('username'),
  email: Type.Optional(Cell('email')),
  password: Type.Optional(Type.String({ maxLength: cellLengths.password, description: 'A bcrypt hash' })),
  hwid: Type.Optional(Cell('hwid')),
  banned: Type.Optional(Cell('banned')),
  subscriptions: Type.Array(strict({ level: Cell('level'), expiry: Cell('expiry') }), {
    maxItems: maxSubscriptionsPerUser + 1,
  }),
  duplicate: Duplicate,
})

/** Cells as they are in the file; `licenses` or `users`, as the import's kind. */
const rowFields = {
  licenses: Type.Optional(Type.Array(LicenseRow, { maxItems: rowsPerBatch })),
  users: Type.Optional(Type.Array(UserRow, { maxItems: rowsPerBatch })),
}

const maxLevels = 200

/** 500 users with all their cells and 21 subscriptions each. */
const maxBodyFields = 26_000

const settingFields = {
  onConflict: Type.Optional(
    oneOf(conflictChoices, {
      default: 'skip',
      description:
        'What happens to a row whose license key or username exists. Only users can be renamed; redeemed licenses are never overwritten.',
    }),
  ),
  durationUnit: Type.Optional(
    oneOf(durationUnits, { default: 'days', description: 'Unit of durations that are only a number' }),
  ),
  withHwids: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Bind users to the HWIDs of the file. Only for programs that send the same HWIDs to Signet.',
    }),
  ),
  withKeys: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Create a redeemed license for each user without a password, named like the user',
    }),
  ),
}

const Count = Type.Integer({ minimum: 0 })

const Result = Type.Object({
  row: Type.Integer(),
  name: Type.String(),
  outcome: oneOf(['skipped', 'renamed', 'overwritten']),
  newName: Type.Optional(Type.String({ description: 'Of a renamed user' })),
  code: Type.Optional(Type.String()),
  values: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
  message: Type.String(),
})

const Import = Type.Object({
  importId: Type.String(),
  kind: Kind,
  source: oneOf(importSources),
  fileName: Type.String(),
  fingerprint: Type.String({ description: 'SHA-256 of the file, with which an import is resumed' }),
  settings: Type.Object({
    onConflict: oneOf(conflictChoices),
    durationUnit: oneOf(durationUnits),
    withHwids: Type.Boolean(),
    withKeys: Type.Boolean(),
    columns: Type.Record(Type.String(), Type.Integer()),
    levels: Type.Array(Type.Object({ label: Type.String(), level: Type.Integer() })),
  }),
  totalRows: Type.Integer(),
  doneRows: Type.Integer({ description: 'Fewer than `totalRows` if the import stopped' }),
  nextBatch: Type.Integer({ description: 'Number of the batch with which the import continues, from 1' }),
  created: Type.Integer(),
  overwritten: Type.Integer(),
  skipped: Type.Integer(),
  createdBy: Type.String(),
  createdAt: EpochSeconds,
  undoneAt: Type.Union([EpochSeconds, Type.Null()], {
    description: 'When the undo began, after which no more rows are imported',
  }),
  undoableUntil: Type.Union([EpochSeconds, Type.Null()], {
    description: 'Null when there is nothing to undo. With `undoneAt`, the undo stopped before its end',
  }),
})

const ImportId = Type.String({ minLength: 1, maxLength: 40 })

const LevelChoice = strict({
  label: Cell('level'),
  level: Type.Optional(Level),
  name: Type.Optional(Type.String({ maxLength: maxLevelNameLength, description: 'Name of a subscription to create' })),
})

export const importsContract = {
  listImports: appCall('GET /imports', {
    summary: 'List the imports into an app in the last 30 days, newest first, at most 50.',
    query: strict(appFields),
    reply: reply({ imports: Type.Array(Import) }),
  }),
  checkImport: appCall('POST /imports/check', {
    maxBodyKiB: 8192,
    maxBodyFields,
    summary: 'Check up to 500 rows of a file without importing them: errors, conflicts, and what the plan allows.',
    body: strict({
      ...appFields,
      ...rowFields,
      onConflict: settingFields.onConflict,
      durationUnit: settingFields.durationUnit,
      withHwids: settingFields.withHwids,
      levels: Type.Array(Cell('level'), {
        maxItems: maxLevels,
        description: 'Levels of the file that have a subscription',
      }),
    }),
    reply: reply({
      valid: Count,
      conflicts: Type.Integer({ description: 'Valid rows whose name exists in the app' }),
      results: Type.Array(Result, { description: 'Rows that are skipped, renamed, or overwritten' }),
      room: Type.Union([Type.Integer(), Type.Null()], {
        description: 'How many more licenses or users the plan allows in the app; null without a limit',
      }),
    }),
    errors: { ...importsErrors, ...rowErrors },
  }),
  startImport: appCall('POST /imports/start', {
    idempotent: true,
    summary:
      'Start an import: assign the levels of the file to subscriptions, and create those that are missing. Send the rows with POST /imports/rows.',
    body: strict({
      ...appFields,
      ...settingFields,
      kind: Kind,
      source: oneOf(importSources),
      fileName: Type.String({ maxLength: 200 }),
      fingerprint: Text(64),
      rows: Type.Integer({ minimum: 1, maximum: maxImportRows }),
      columns: Type.Optional(Type.Record(Type.String({ maxLength: 40 }), Type.Integer({ minimum: -1, maximum: 1000 }))),
      levels: Type.Array(LevelChoice, { maxItems: maxLevels }),
    }),
    reply: reply({ import: Import }),
    errors: { ...importsErrors },
  }),
  importRows: appCall('POST /imports/rows', {
    maxBodyKiB: 8192,
    maxBodyFields,
    summary:
      'Import the next batch of up to 500 rows, all valid ones in one transaction. A repeated batch changes nothing and has the same reply.',
    body: strict({
      ...appFields,
      ...rowFields,
      importId: ImportId,
      batch: Type.Integer({ minimum: 1, maximum: maxImportRows }),
    }),
    reply: reply({
      import: Import,
      created: Count,
      overwritten: Count,
      skipped: Count,
      results: Type.Array(Result, { description: 'Rows that were skipped, renamed, or overwritten' }),
    }),
    errors: { ...importsErrors, ...rowErrors },
  }),
  undoImport: appCall('POST /imports/undo', {
    idempotent: true,
    summary:
      'Undo an import of the last 30 days; `undoId` is its `importId`. What it created moves to the bin, and what it overwrote is restored, except rows that have changed since. With an Idempotency-Key, up to 500 rows are processed per call; continue with `next`.',
    body: undoBody,
    reply: undoReply,
    errors: importsErrors,
    successes: { IMPORT_UNDO_OK: '{restored} undone, {failed} changed since' },
  }),
  exportImportReport: appCall('GET /import_report', {
    summary:
      'Export the rows that an import skipped, renamed, or overwrote as CSV, with reasons. With `download`, the response is the file itself.',
    query: strict({ ...appFields, importId: ImportId, download: Type.Optional(Type.Boolean()) }),
    reply: reply({ content: Type.String(), format: Type.String(), filename: Type.String() }),
    errors: importsErrors,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof importsContract> {}
  interface Codes extends CodesOf<typeof importsContract> {}
}
