import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const screens = globSync(['src/web/**/*.{ts,tsx}', 'src/features/*/web/**/*.{ts,tsx}'], { cwd: root })
  .filter((file) => !/\.(test|e2e)\.tsx?$/.test(file))
  .toSorted()
const filesWith = (shape: RegExp) => screens.filter((file) => shape.test(readFileSync(resolve(root, file), 'utf8')))

test('requests of the dashboard leave by one function: it signs in again, proves and tells of a lost connection', () => {
  expect(filesWith(/(?<![\w.])fetch\(/)).toEqual([
    // Asks only why a stream was rejected, which an EventSource doesn't tell.
    'src/features/logs/web/live-logs.ts',
    'src/web/api/call.ts',
    'src/web/api/connection.ts',
  ])
})

test('keys of the query cache come from one file: a mistyped one would be a list that is never refreshed', () => {
  // A list's own key, with what is asked of it behind, is the only one put together elsewhere.
  const typed = /queryKey: \[(?!\.\.\.key\(\), input\])/
  expect(typed.test("queryKey: ['profile']")).toBe(true)
  expect(filesWith(typed)).toEqual([])
})
