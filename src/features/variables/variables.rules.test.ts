import { expect, test } from 'vitest'
import { variableProblem } from './variables.rules.ts'

test('a variable requires a name and data within limits', () => {
  expect(variableProblem('api_key', 'x')).toBeUndefined()
  expect(variableProblem('n'.repeat(100), 'd'.repeat(10_000))).toBeUndefined()
  for (const [name, data] of [
    ['', 'x'],
    [' ', 'x'],
    ['x', ''],
  ] as const) {
    expect(variableProblem(name, data)).toEqual({ code: 'VARIABLE_REQUIRED' })
  }
  expect(variableProblem('__proto__', 'x')).toEqual({ code: 'VARIABLE_NAME_INVALID', field: 'variableName' })
  expect(variableProblem('a\nb', 'x')).toEqual({ code: 'VARIABLE_NAME_INVALID', field: 'variableName' })
  expect(variableProblem('n'.repeat(101), 'x')).toEqual({
    code: 'VARIABLE_NAME_TOO_LONG',
    values: { max: 100 },
    field: 'variableName',
  })
  const tooLong = { code: 'VARIABLE_DATA_TOO_LONG', values: { max: 10_000 }, field: 'variableData' }
  expect(variableProblem('n', 'd'.repeat(10_001))).toEqual(tooLong)
})
