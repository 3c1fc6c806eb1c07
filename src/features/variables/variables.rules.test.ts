import { expect, test } from 'vitest'
import { userVariableProblem } from './variables.rules.ts'

test('a variable needs a name and data, within bounds', () => {
  expect(userVariableProblem('api_key', 'x')).toBeUndefined()
  expect(userVariableProblem('n'.repeat(100), 'd'.repeat(10_000))).toBeUndefined()
  for (const [name, data] of [
    ['', 'x'],
    [' ', 'x'],
    ['x', ''],
  ] as const) {
    expect(userVariableProblem(name, data)).toEqual({ code: 'VARIABLE_REQUIRED' })
  }
  expect(userVariableProblem('__proto__', 'x')).toEqual({ code: 'VARIABLE_NAME_INVALID', field: 'variableName' })
  expect(userVariableProblem('a\nb', 'x')).toEqual({ code: 'VARIABLE_NAME_INVALID', field: 'variableName' })
  expect(userVariableProblem('n'.repeat(101), 'x')).toEqual({
    code: 'VARIABLE_NAME_TOO_LONG',
    values: { max: 100 },
    field: 'variableName',
  })
  const tooLong = { code: 'VARIABLE_DATA_TOO_LONG', values: { max: 10_000 }, field: 'variableData' }
  expect(userVariableProblem('n', 'd'.repeat(10_001))).toEqual(tooLong)
})
