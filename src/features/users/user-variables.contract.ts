import { type Static, Type } from 'typebox'
import type { CodesOf } from '#contract/codes.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { appFields, beforeField, reply, strict, Text } from '#contract/fields.ts'
import { userVariablesErrors } from './users.errors.ts'
import { Username } from './users.contract.ts'

/** Variables of one user. Replies have both names of each field. */

const path = '/user_variables'
const shared = { path, access: 'account', app: true, errors: userVariablesErrors } as const

/** Longer than the rules allow, so that the refusal says what is wrong. */
const NameField = Text(500)
const DataField = Text(50_000)
/** What it is and what it was, in characters of any script. */
export const maxVariableKiB = 256
const nameFields = { variableName: Type.Optional(NameField) }
const dataFields = { variableData: Type.Optional(DataField) }

const UserVariableReply = Type.Object({
  name: Type.String(),
  data: Type.String(),
  variableName: Type.String(),
  variableData: Type.String(),
})

/** Empty when there is none, which the rules refuse. */
export const variableNameOf = ({ variableName = '' }: { variableName?: string }): string => variableName.trim()

/** A variable as the wire has it, under both names of each field. */
export const variableReply = ({ name, data }: { name: string; data: string }): Static<typeof UserVariableReply> => ({
  name,
  data,
  variableName: name,
  variableData: data,
})

export const userVariablesContract = {
  listUserVariables: defineCall({
    ...shared,
    method: 'GET',
    summary: 'All variables of a user, by name.',
    query: strict({ ...appFields, username: Username }),
    reply: reply({ variables: Type.Array(UserVariableReply) }),
  }),
  createUserVariable: defineCall({
    ...shared,
    maxBodyKiB: maxVariableKiB,
    method: 'POST',
    idempotent: true,
    summary: 'Give a user a variable of a new name.',
    body: strict({ ...appFields, username: Username, ...nameFields, ...dataFields }),
    reply: reply({ variable: UserVariableReply }),
    successes: { VARIABLE_CREATE_OK: 'Variable created successfully' },
  }),
  updateUserVariable: defineCall({
    ...shared,
    maxBodyKiB: maxVariableKiB,
    method: 'PUT',
    summary: 'Change the data of a variable. The name stays; `originalName` may say it once more.',
    body: strict({
      ...appFields,
      username: Username,
      ...nameFields,
      ...dataFields,
      originalName: Type.Optional(NameField),
      ...beforeField({ variableData: DataField }),
    }),
    reply: reply({ variable: UserVariableReply }),
    successes: { VARIABLE_UPDATE_OK: 'Variable updated successfully' },
  }),
  deleteUserVariable: defineCall({
    ...shared,
    method: 'DELETE',
    summary: 'Delete a variable of a user, named in the body or in the query.',
    query: strict({ ...appFields, username: Type.Optional(Username), ...nameFields }),
    body: strict({ ...appFields, username: Type.Optional(Username), ...nameFields }),
    reply: reply({}),
    successes: { VARIABLE_DELETE_OK: 'Variable deleted successfully' },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof userVariablesContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof userVariablesContract> {}
}
