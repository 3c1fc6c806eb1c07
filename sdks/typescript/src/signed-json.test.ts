import { expect, test } from 'vitest'
import { fieldsOf } from './signed-json.ts'

const read = (text: string) => fieldsOf(new TextEncoder().encode(text))
const nested = (depth: number) => `{"x":${'['.repeat(depth)}1${']'.repeat(depth)}}`

test('JSON is read to a depth that every client can read', () => {
  expect(read(nested(63))).toBeDefined()
  expect(read(nested(64))).toBeUndefined()
  expect(read(`{"x":"${'\\"['.repeat(100)}"}`)).toBeDefined()
  expect(read(`{"x":[${Array.from({ length: 100 }, () => '[]').join()}]}`)).toBeDefined()
})
