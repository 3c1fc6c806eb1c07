import { type TSchema, Type } from 'typebox'
import { appFields, batchFields, Next, reply, strict } from './fields.ts'

/** What calls on many rows share: which rows, in how many at once, and what became of each. */

export const maxBulkNames = 1000

/** Room for as many of the longest names, in KiB. */
export const maxNamesKiB = 800

const UndoId = Type.String({ minLength: 1, maxLength: 40 })

/** Fields of a bulk call besides its action, its names and the action's own. */
export const bulkFields = {
  ...appFields,
  ...batchFields,
  expectedCount: Type.Optional(Type.Integer({ minimum: 0, maximum: 1e12, description: 'How many the caller saw' })),
  dryRun: Type.Optional(Type.Boolean({ description: 'Changes nothing; counts what would be done' })),
  undoId: Type.Optional(Type.String({ ...UndoId, description: 'Of the batch before: one act, one undo' })),
}

/** Of a call whose act the feature's undo call can take back. */
export const UndoIdReply = Type.Union([UndoId, Type.Null()], {
  description: 'For the undo call; null when there is nothing to undo',
})

const Values = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))

export const bulkReply = <C extends Record<string, TSchema>>(counts: C) =>
  reply({
    dryRun: Type.Boolean(),
    done: Type.Integer(),
    failed: Type.Integer(),
    next: Next,
    undoId: UndoIdReply,
    counts: Type.Object({
      changed: Type.Integer(),
      unchanged: Type.Integer({ description: 'So before already' }),
      inUse: Type.Integer({ description: 'Of those changed: used right now' }),
      notFound: Type.Integer(),
      ...counts,
    }),
    results: Type.Array(
      Type.Object({
        name: Type.String(),
        ok: Type.Boolean(),
        changed: Type.Boolean({ description: 'False too where it was so before' }),
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
  failed: Type.Integer({ description: 'Gone, or changed by somebody since' }),
  next: Next,
})

/** Refusals of every bulk and undo call, whatever the rows are. */
export const bulkErrors = {
  UNDO_NOT_FOUND: { status: 404, message: 'This can no longer be undone' },
  SELECTION_CHANGED: {
    status: 409,
    message: 'The list has changed: {count, plural, one {# row matches} other {# rows match}} now. Please check again.',
  },
} as const
