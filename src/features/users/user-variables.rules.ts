/** Variables of one user (part 1 §5 Users). Runs in the server and the dashboard. */

export const longestVariableName = 100
export const longestVariableData = 10_000
export const mostUserVariables = 100

export function userVariableProblem(name: string, data: string): string | undefined {
  if (name.trim() === '' || data === '') return 'Variable name and data are required'
  if (name.length > longestVariableName) return `The variable name can have at most ${longestVariableName} characters`
  // A program reads variables as the fields of an object, and that name is no field.
  if (/\p{C}/u.test(name) || name === '__proto__') return 'The variable name can only contain visible characters'
  if (data.length > longestVariableData) return `The variable data can have at most ${longestVariableData} characters`
  return undefined
}
