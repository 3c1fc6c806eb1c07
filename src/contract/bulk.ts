import { type TSchema, Type } from 'typebox'
import { appFields, batchFields, Next, reply, strict } from './fields.ts'

/** Fields shared by bulk calls: which rows to change, how many at once, and the result of each row. */

export const maxBulkNames = 1000

/** Room for that many of the longest names, in KiB. */
export const maxNamesKiB = 800

const UndoId = Type.String({ minLength: 1, maxLength: 40 })

const RowCount = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 1e12, description }))

export const expectedCount = RowCount('Number of rows you saw; the call is rejected when it has changed')
/** For rows that disappear by themselves, as sessions that end. */
export const highestExpectedCount = RowCount('Number of rows you saw; the call is rejected when more match')

export const NewestRow = Type.Integer({ minimum: 0, maximum: 1e15 })

/** What the reply to a filter says of it, so that the next call leaves out rows that were added since. */
export const NewestIdReply = Type.Union([NewestRow, Type.Null()], {
  description:
    'Rows that are added later have higher IDs; send it with the next call on the same filter. Null for names',
})

export const newestId = Type.Optional({
  ...NewestRow,
  description:
    '`newestId` of the reply to the dry run or to the previous batch; rows that were added later do not match',
})

/** Fields of every bulk call, besides the action, the names and the fields of the action. */
export const bulkFields = {
  ...appFields,
  ...batchFields,
  expectedCount,
  newestId,
  dryRun: Type.Optional(Type.Boolean({ description: 'Count the rows without changing anything' })),
  undoId: Type.Optional(
    Type.String({
      ...UndoId,
      description: 'The `undoId` of the previous batch, so that all batches are undone together',
    }),
  ),
}

/** For calls whose action the undo call of the feature can revert. */
export const UndoIdReply = Type.Union([UndoId, Type.Null()], {
  description:
    'Send this to the undo call or, after deleting, to `POST /bin/restore`; null when there is nothing to undo',
})

const Values = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))

export const bulkReply = <C extends Record<string, TSchema>>(counts: C) =>
  reply({
    dryRun: Type.Boolean(),
    done: Type.Integer(),
    failed: Type.Integer(),
    next: Next,
    newestId: NewestIdReply,
    undoId: UndoIdReply,
    counts: Type.Object({
      changed: Type.Integer(),
      unchanged: Type.Integer({ description: 'The row was already in that state' }),
      inUse: Type.Integer({ description: 'Changed rows that are in use right now' }),
      notFound: Type.Integer(),
      ...counts,
    }),
    results: Type.Array(
      Type.Object({
        name: Type.String(),
        ok: Type.Boolean(),
        changed: Type.Boolean({ description: 'Also false when the row was already in that state' }),
        code: Type.Optional(Type.String()),
        values: Type.Optional(Values),
        message: Type.String(),
      }),
      { description: 'At most 1000, failures first' },
    ),
  })

export const undoBody = strict({ ...appFields, ...batchFields, undoId: UndoId })

export const undoReply = reply({
  restored: Type.Integer(),
  failed: Type.Integer({ description: 'Rows that were deleted or changed since' }),
  next: Next,
})

/** Errors of calls on a filter with an expected count. */
export const selectionErrors = {
  SELECTION_CHANGED: {
    status: 409,
    message:
      'The list has changed: {count, plural, one {# row now matches} other {# rows now match}}. Please check again.',
  },
} as const

/** Errors of every bulk and undo call. */
export const bulkErrors = {
  UNDO_NOT_FOUND: { status: 404, message: 'This can no longer be undone' },
  ...selectionErrors,
} as const
