import { Type } from 'typebox'
import { reply, strict, Text } from '#contract/fields.ts'
import { maxVariableKiB, userVariablesContract } from '#features/users/user-variables.contract.ts'
import { Username } from '#features/users/users.contract.ts'
import { namedUserErrors, userVariablesErrors } from '#features/users/users.errors.ts'
import { insteadOf, sellerCall } from './seller-call.contract.ts'

/** User variable calls with a seller key. */

const { createUserVariable, updateUserVariable, deleteUserVariable } = userVariablesContract

const names = { name: 'variableName', data: 'variableData' }
const params = Type.Object({ username: Username })
const VariableReply = Type.Object({ name: Type.String(), data: Type.String() })
const variableParams = Type.Object({ username: Username, name: Text(500, 1) })

export const sellerVariablesContract = {
  listVariables: sellerCall('GET /users/{username}/variables', {
    scope: 'variables:read',
    summary: 'List all variables of a user, sorted by name.',
    params,
    reply: reply({ variables: Type.Array(VariableReply) }),
    errors: namedUserErrors,
  }),
  getVariable: sellerCall('GET /users/{username}/variables/{name}', {
    scope: 'variables:read',
    summary: 'Get a variable of a user.',
    params: variableParams,
    reply: reply({ variable: VariableReply }),
    errors: userVariablesErrors,
  }),
  setVariable: sellerCall('PUT /users/{username}/variables/{name}', {
    scope: 'variables:write',
    maxBodyKiB: maxVariableKiB,
    summary: 'Create a variable of a user, or update it if the name exists.',
    params: variableParams,
    body: strict({ data: Type.String({ maxLength: 50_000, typeRejection: 'VARIABLE_REQUIRED' }) }),
    reply: reply({ variable: VariableReply, created: Type.Boolean() }),
    successes: { ...createUserVariable.successes, ...updateUserVariable.successes },
    errors: userVariablesErrors,
    replaces: [insteadOf(createUserVariable, names), insteadOf(updateUserVariable, names)],
  }),
  deleteVariable: sellerCall('DELETE /users/{username}/variables/{name}', {
    scope: 'variables:write',
    summary: 'Delete a variable of a user.',
    params: variableParams,
    reply: reply({}),
    successes: deleteUserVariable.successes,
    errors: userVariablesErrors,
    replaces: [insteadOf(deleteUserVariable, names)],
  }),
}
