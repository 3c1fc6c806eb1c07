import { Type } from 'typebox'
import {
  bulkErrors,
  expectedCount,
  maxBulkNames,
  maxNamesKiB,
  undoBody,
  UndoIdReply,
  undoReply,
} from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import { listField } from '#contract/list-field.ts'
import { sortField } from '#contract/sort-field.ts'
import { appFields, EpochSeconds, pageQuery, reply, RequiredText, strict, Text } from '#contract/fields.ts'
import { variablesErrors } from './variables.errors.ts'
import { maxVariableDataLength, maxVariableNameLength, variableExportColumns } from './variables.rules.ts'

/** Calls on the variables of an app. Calls on variables of users are in `users`. */

const AppVariableReply = Type.Object({
  variableName: Type.String(),
  variableData: Type.String(),
  authenticated: Type.Boolean({ description: 'Whether only signed-in programs can read the variable' }),
  createdAt: EpochSeconds,
  updatedAt: EpochSeconds,
})

// Schema limits far above the real ones, so that the rule reports the error instead of the schema.
const name = Text(maxVariableNameLength * 10)
const data = Text(maxVariableDataLength * 2)
const filter = strict({ search: pageQuery.search })

const exportFields = {
  format: Type.Optional(Type.Union([Type.Literal('csv'), Type.Literal('json')])),
  columns: Type.Optional(listField(variableExportColumns)),
}
const file = reply({ content: Type.String(), format: Type.String(), filename: Type.String() })

export const variablesContract = {
  listAppVariables: appCall('POST /getAllAppVar', {
    summary:
      'List the variables of an app, sorted by name by default: one page with `page` or `limit`, otherwise all. `search` matches names and data; `name` is the exact name of one.',
    query: strict({
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      search: pageQuery.search,
      name: Type.Optional(Text(maxVariableNameLength)),
      sort: sortField(['name', 'access', 'updated']),
    }),
    body: strict({ ...appFields }),
    reply: reply({
      vars: Type.Array(AppVariableReply),
      total: Type.Integer({ description: 'Number of matching variables' }),
      totalPages: Type.Integer(),
      all: Type.Integer({ description: 'Number of variables of the app' }),
    }),
  }),
  modifyAppVariable: appCall('POST /modify_app_var', {
    idempotent: true,
    summary:
      'Create a variable, update it if the name exists, or delete it with `deleteVariable`. With `mustBeNew`, an existing variable is not updated and the call is rejected. With `before`, an update changes only the fields that it names. POST /variables/undo reverts an update, POST /bin/restore a deletion.',
    body: strict({
      ...appFields,
      variableName: RequiredText(maxVariableNameLength * 10, 'VARIABLE_REQUIRED'),
      variableData: Type.Optional(data),
      deleteVariable: Type.Optional(Type.Boolean()),
      authenticated: Type.Optional(Type.Boolean({ description: 'Default: true' })),
      mustBeNew: Type.Optional(Type.Boolean()),
      before: Type.Optional(
        strict({ variableData: Type.Optional(Type.String()), authenticated: Type.Optional(Type.Boolean()) }),
      ),
    }),
    reply: reply({ undoId: UndoIdReply }),
    successes: {
      VARIABLE_CREATE_OK: 'Variable created successfully',
      VARIABLE_UPDATE_OK: 'Variable updated successfully',
      VARIABLE_DELETE_OK: 'Variable deleted successfully',
    },
    errors: variablesErrors,
  }),
  undoAppVariables: appCall('POST /variables/undo', {
    summary: 'Undo a change of a variable, unless it has been changed again or deleted since.',
    body: undoBody,
    reply: undoReply,
    successes: { VARIABLES_UNDO_OK: '{restored} restored, {failed} changed since' },
    errors: bulkErrors,
  }),
  bulkDeleteAppVariables: appCall('POST /variables/bulk-delete', {
    maxBodyKiB: maxNamesKiB,
    summary:
      'Delete many variables: the given ones, or all that match the filter, if their number still equals `expectedCount`. `{}` matches all variables of the app.',
    body: strict({
      ...appFields,
      variableNames: Type.Optional(Type.Array(name, { maxItems: maxBulkNames })),
      filter: Type.Optional(filter),
      expectedCount,
    }),
    reply: reply({ deleted: Type.Integer(), undoId: UndoIdReply }),
    successes: {
      VARIABLES_DELETE_OK:
        '{deleted, plural, one {Deleted # variable successfully} other {Deleted # variables successfully}}',
      VARIABLES_DELETE_ALL_OK: 'All variables deleted successfully',
    },
    errors: variablesErrors,
  }),
  exportAppVariables: appCall('GET /export_variables', {
    summary:
      'Export all matching variables in `content`. `columns` chooses what the file has of each variable; the default is everything. With `download`, the response is the file itself.',
    query: strict({
      ...appFields,
      ...exportFields,
      search: pageQuery.search,
      download: Type.Optional(Type.Boolean()),
    }),
    reply: file,
  }),
  exportSelectedAppVariables: appCall('POST /export_variables', {
    maxBodyKiB: maxNamesKiB,
    summary:
      'Export the given variables, oldest first, in the formats and columns of `GET /export_variables`. Names that do not exist are left out.',
    body: strict({
      ...appFields,
      variableNames: Type.Array(Text(maxVariableNameLength, 1), { minItems: 1, maxItems: maxBulkNames }),
      ...exportFields,
    }),
    reply: file,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof variablesContract> {}
  interface Codes extends CodesOf<typeof variablesContract> {}
}
