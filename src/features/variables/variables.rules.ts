import type { Problem } from '#contract/errors.ts'
import { hasInvisible } from '#contract/visible-text.ts'
import type { variablesErrors } from './variables.errors.ts'

/** Variables of an app and of one user. Runs in the server and the dashboard. */

export const maxVariableNameLength = 100
export const maxVariableDataLength = 10_000
export const maxUserVariables = 100

export function variableProblem(name: string, data: string): Problem<keyof typeof variablesErrors> | undefined {
  if (name.trim() === '' || data === '') return { code: 'VARIABLE_REQUIRED' }
  if (name.length > maxVariableNameLength) {
    return { code: 'VARIABLE_NAME_TOO_LONG', values: { max: maxVariableNameLength }, field: 'variableName' }
  }
  // A program reads variables as the fields of an object, and that name is no field.
  if (hasInvisible(name) || name === '__proto__') return { code: 'VARIABLE_NAME_INVALID', field: 'variableName' }
  if (data.length > maxVariableDataLength) {
    return { code: 'VARIABLE_DATA_TOO_LONG', values: { max: maxVariableDataLength }, field: 'variableData' }
  }
  return undefined
}
