import { Type } from 'typebox'
import { EpochSeconds, pageQuery, reply, strict, Text } from '#contract/fields.ts'
import { maxVariableKiB } from '#features/users/user-variables.contract.ts'
import { variablesContract } from '#features/variables/variables.contract.ts'
import { variablesErrors } from '#features/variables/variables.errors.ts'
import { maxVariableDataLength, maxVariableNameLength } from '#features/variables/variables.rules.ts'
import { insteadOf, sellerCall } from './seller-call.contract.ts'

/** Calls on the variables of the app with a seller key. */

const { modifyAppVariable, bulkDeleteAppVariables } = variablesContract
const { VARIABLE_CREATE_OK, VARIABLE_UPDATE_OK, VARIABLE_DELETE_OK } = modifyAppVariable.successes
const { authenticated } = modifyAppVariable.body.properties
const names = { name: 'variableName', data: 'variableData' }

// Longer than the rules allow, so that the rule reports the error instead of the schema.
const params = Type.Object({ name: Text(maxVariableNameLength * 10, 1) })
const VariableReply = Type.Object({
  name: Type.String(),
  data: Type.String(),
  authenticated: Type.Boolean({ description: 'Whether only signed-in programs can read the variable' }),
  updatedAt: EpochSeconds,
})

export const sellerAppVariablesContract = {
  listAppVariables: sellerCall('GET /variables', {
    scope: 'app-variables:read',
    summary: 'List the variables of the app, one page at a time, sorted by name. `search` matches names and data.',
    query: strict(pageQuery),
    reply: reply({ variables: Type.Array(VariableReply), totalPages: Type.Integer(), total: Type.Integer() }),
  }),
  getAppVariable: sellerCall('GET /variables/{name}', {
    scope: 'app-variables:read',
    summary: 'Get a variable of the app.',
    params,
    reply: reply({ variable: VariableReply }),
    errors: variablesErrors,
  }),
  setAppVariable: sellerCall('PUT /variables/{name}', {
    scope: 'app-variables:write',
    idempotent: true,
    maxBodyKiB: maxVariableKiB,
    summary:
      'Create a variable of the app, or update it if the name exists. Without `authenticated`, a new variable is only for signed-in programs, and an existing one keeps its access.',
    params,
    body: strict({
      data: Type.String({ maxLength: maxVariableDataLength * 2, typeRejection: 'VARIABLE_REQUIRED' }),
      authenticated,
    }),
    reply: reply({ variable: VariableReply, created: Type.Boolean() }),
    successes: { VARIABLE_CREATE_OK, VARIABLE_UPDATE_OK },
    errors: variablesErrors,
    replaces: [insteadOf(modifyAppVariable, names)],
  }),
  deleteAppVariable: sellerCall('DELETE /variables/{name}', {
    scope: 'app-variables:write',
    summary: 'Delete a variable of the app.',
    params,
    reply: reply({}),
    successes: { VARIABLE_DELETE_OK },
    errors: variablesErrors,
    replaces: [
      insteadOf(modifyAppVariable, names, { deleteVariable: true }),
      insteadOf(bulkDeleteAppVariables, { name: 'variableNames' }),
    ],
  }),
}
