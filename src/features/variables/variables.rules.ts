import type { Problem } from '#contract/errors.ts'
import { hasInvisible } from '#contract/visible-text.ts'
import type { variablesErrors } from './variables.errors.ts'

/** Rules for variables of apps and users. Runs in the server and the dashboard. */

export const maxVariableNameLength = 100
export const maxVariableDataLength = 10_000
export const maxUserVariables = 100

/** Columns of an exported file, in its order. */
export const variableExportColumns = ['name', 'data', 'access'] as const

export type VariableExportColumn = (typeof variableExportColumns)[number]

export function variableProblem(name: string, data: string): Problem<keyof typeof variablesErrors> | undefined {
  if (name.trim() === '' || data === '') return { code: 'VARIABLE_REQUIRED' }
  if (name.length > maxVariableNameLength) {
    return { code: 'VARIABLE_NAME_TOO_LONG', values: { max: maxVariableNameLength }, field: 'variableName' }
  }
  // Programs read variables as fields of an object, and `__proto__` cannot be one.
  if (hasInvisible(name) || name === '__proto__') return { code: 'VARIABLE_NAME_INVALID', field: 'variableName' }
  if (data.length > maxVariableDataLength) {
    return { code: 'VARIABLE_DATA_TOO_LONG', values: { max: maxVariableDataLength }, field: 'variableData' }
  }
  return undefined
}
