/** Variables of one user (part 1 §5 Users). Runs in the server and the dashboard. */

export const maxVariableNameLength = 100
export const maxVariableDataLength = 10_000
export const maxUserVariables = 100

export function userVariableProblem(name: string, data: string): string | undefined {
  if (name.trim() === '' || data === '') return 'Variable name and data are required'
  if (name.length > maxVariableNameLength)
    return `The variable name can have at most ${maxVariableNameLength} characters`
  // A program reads variables as the fields of an object, and that name is no field.
  if (/\p{C}/u.test(name) || name === '__proto__') return 'The variable name can only contain visible characters'
  if (data.length > maxVariableDataLength)
    return `The variable data can have at most ${maxVariableDataLength} characters`
  return undefined
}
