import { Type } from 'typebox'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { appFields, reply, strict, Text } from '#contract/fields.ts'
import { userVariablesRefusals } from './users.refusals.ts'
import { Username } from './user-fields.contract.ts'

/** Variables of one user (part 1 §7 Users; conflicts C62, C97). Both names of each field are taken and given. */

const path = '/user_variables'
const shared = { path, access: 'account', app: true, refusals: userVariablesRefusals } as const

/** Longer than the rules allow, so that the refusal says what is wrong. */
const nameFields = { variableName: Type.Optional(Text(500)), name: Type.Optional(Text(500)) }
const dataFields = { variableData: Type.Optional(Text(50_000)), data: Type.Optional(Text(50_000)) }

const UserVariableReply = Type.Object({
  name: Type.String(),
  data: Type.String(),
  variableName: Type.String(),
  variableData: Type.String(),
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
    method: 'POST',
    idempotent: true,
    summary: 'Give a user a variable of a new name.',
    body: strict({ ...appFields, username: Username, ...nameFields, ...dataFields }),
    reply: reply({ variable: UserVariableReply }),
  }),
  updateUserVariable: defineCall({
    ...shared,
    method: 'PUT',
    summary: 'Change the data of a variable. The name stays; `originalName` may say it once more.',
    body: strict({
      ...appFields,
      username: Username,
      ...nameFields,
      ...dataFields,
      originalName: Type.Optional(Text(500)),
      originalVariableName: Type.Optional(Text(500)),
    }),
    reply: reply({ variable: UserVariableReply }),
  }),
  deleteUserVariable: defineCall({
    ...shared,
    method: 'DELETE',
    summary: 'Delete a variable of a user, named in the body or in the query.',
    query: strict({ ...appFields, username: Type.Optional(Username), ...nameFields }),
    body: strict({ ...appFields, username: Type.Optional(Username), ...nameFields }),
    reply: reply({}),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof userVariablesContract> {}
}
