import { type Static, Type } from 'typebox'
import { UndoIdReply } from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import { appFields, beforeField, reply, strict, Text } from '#contract/fields.ts'
import { userVariablesErrors } from './users.errors.ts'
import { Username } from './users.contract.ts'

/** Variables of a user. Replies carry both names of each field. */

/** Longer than the rules allow, so that the rule reports the error instead of the schema. */
const NameField = Text(500)
const DataField = Text(50_000)
/** The new and the previous value, in characters of any script. */
export const maxVariableKiB = 256
const nameFields = { variableName: Type.Optional(NameField) }
const dataFields = { variableData: Type.Optional(DataField) }

const UserVariableReply = Type.Object({
  name: Type.String(),
  data: Type.String(),
  variableName: Type.String(),
  variableData: Type.String(),
})

/** Empty when missing, which the rules reject. */
export const variableNameOf = ({ variableName = '' }: { variableName?: string }): string => variableName.trim()

/** A variable in the reply, with both names of each field. */
export const variableReply = ({ name, data }: { name: string; data: string }): Static<typeof UserVariableReply> => ({
  name,
  data,
  variableName: name,
  variableData: data,
})

export const userVariablesContract = {
  listUserVariables: appCall('GET /user_variables', {
    summary: 'List all variables of a user, sorted by name.',
    query: strict({ ...appFields, username: Username }),
    reply: reply({ variables: Type.Array(UserVariableReply) }),
    errors: userVariablesErrors,
  }),
  createUserVariable: appCall('POST /user_variables', {
    maxBodyKiB: maxVariableKiB,
    idempotent: true,
    summary: 'Create a variable of a user. The name must be new.',
    body: strict({ ...appFields, username: Username, ...nameFields, ...dataFields }),
    reply: reply({ variable: UserVariableReply }),
    successes: { VARIABLE_CREATE_OK: 'Variable created successfully' },
    errors: userVariablesErrors,
  }),
  updateUserVariable: appCall('PUT /user_variables', {
    maxBodyKiB: maxVariableKiB,
    summary:
      'Update the data of a variable. The name cannot be changed; `originalName` may repeat it. POST /users/undo reverts the update.',
    body: strict({
      ...appFields,
      username: Username,
      ...nameFields,
      ...dataFields,
      originalName: Type.Optional(NameField),
      ...beforeField({ variableData: DataField }),
    }),
    reply: reply({ variable: UserVariableReply, undoId: UndoIdReply }),
    successes: { VARIABLE_UPDATE_OK: 'Variable updated successfully' },
    errors: userVariablesErrors,
  }),
  deleteUserVariable: appCall('DELETE /user_variables', {
    summary: 'Delete a variable of a user. Send its name in the body or in the query.',
    query: strict({ ...appFields, username: Type.Optional(Username), ...nameFields }),
    body: strict({ ...appFields, username: Type.Optional(Username), ...nameFields }),
    reply: reply({}),
    successes: { VARIABLE_DELETE_OK: 'Variable deleted successfully' },
    errors: userVariablesErrors,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof userVariablesContract> {}
  interface Codes extends CodesOf<typeof userVariablesContract> {}
}
