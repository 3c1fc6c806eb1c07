import { Type } from 'typebox'
import { maxBulkNames, maxNamesKiB } from '#contract/bulk.ts'
import type { CodesOf } from '#contract/codes.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { appFields, EpochSeconds, pageQuery, reply, strict, Text } from '#contract/fields.ts'
import { variablesErrors } from './variables.errors.ts'
import { maxVariableDataLength, maxVariableNameLength } from './variables.rules.ts'

/** Variables of an app on the screen. Those of a user are calls of `users`. */

const AppVariableReply = Type.Object({
  variableName: Type.String(),
  variableData: Type.String(),
  authenticated: Type.Boolean({ description: 'Programs get it only once they are signed in' }),
  updatedAt: EpochSeconds,
})

// Longer than allowed by far, so that the rule says what is wrong instead of the schema.
const name = Text(maxVariableNameLength * 10)
const data = Text(maxVariableDataLength * 2)
const filter = strict({ search: pageQuery.search })

export const variablesContract = {
  listAppVariables: defineCall({
    method: 'POST',
    path: '/getAllAppVar',
    access: 'account',
    app: true,
    summary:
      'The variables of the app by name. With `page` or `limit` one page of them, otherwise all. `search` looks inside names and data.',
    query: strict({
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      search: pageQuery.search,
    }),
    body: strict({ ...appFields }),
    reply: reply({
      vars: Type.Array(AppVariableReply),
      total: Type.Integer({ description: 'How many match' }),
      totalPages: Type.Integer(),
      all: Type.Integer({ description: 'How many the app has' }),
    }),
  }),
  modifyAppVariable: defineCall({
    method: 'POST',
    path: '/modify_app_var',
    access: 'account',
    app: true,
    summary:
      'Create the variable or, where there is one of that name, change it; with `deleteVariable` delete it. `mustBeNew` refuses to change one that exists.',
    body: strict({
      ...appFields,
      variableName: name,
      variableData: Type.Optional(data),
      deleteVariable: Type.Optional(Type.Boolean()),
      authenticated: Type.Optional(Type.Boolean({ description: 'Default: true' })),
      mustBeNew: Type.Optional(Type.Boolean()),
      before: Type.Optional(
        strict({ variableData: Type.Optional(Type.String()), authenticated: Type.Optional(Type.Boolean()) }),
      ),
    }),
    reply: reply({}),
    successes: {
      VARIABLE_CREATE_OK: 'Variable created successfully',
      VARIABLE_UPDATE_OK: 'Variable updated successfully',
      VARIABLE_DELETE_OK: 'Variable deleted successfully',
    },
    errors: variablesErrors,
  }),
  bulkDeleteAppVariables: defineCall({
    method: 'POST',
    path: '/variables/bulk-delete',
    access: 'account',
    app: true,
    maxBodyKiB: maxNamesKiB,
    summary: 'Delete many variables: those named, or all that match the filter. `{}` matches every one of the app.',
    body: strict({
      ...appFields,
      variableNames: Type.Optional(Type.Array(name, { maxItems: maxBulkNames })),
      filter: Type.Optional(filter),
    }),
    reply: reply({ deleted: Type.Integer() }),
    successes: {
      VARIABLES_DELETE_OK:
        '{deleted, plural, one {Deleted # variable successfully} other {Deleted # variables successfully}}',
      VARIABLES_DELETE_ALL_OK: 'All variables deleted successfully',
    },
    errors: variablesErrors,
  }),
  exportAppVariables: defineCall({
    method: 'GET',
    path: '/export_variables',
    access: 'account',
    app: true,
    summary: 'The variables that match, as `content` or, with `download`, as a file.',
    query: strict({
      ...appFields,
      format: Type.Optional(Type.Union([Type.Literal('csv'), Type.Literal('json')])),
      search: pageQuery.search,
      download: Type.Optional(Type.Boolean()),
    }),
    reply: reply({ content: Type.String(), format: Type.String(), filename: Type.String() }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof variablesContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof variablesContract> {}
}
