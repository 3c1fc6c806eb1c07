import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { patternsOf, slownessOf } from './patterns.ts'

const root = dirname(import.meta.dirname)
/** Code of the server and of programs. */
const files = globSync('{src,sdks/typescript/src}/**/*.ts', { cwd: root }).filter(
  (file) => !/\.(test|e2e)\.ts$|\/web\//.test(file),
)

test('no pattern of the server or of a client takes longer than its input is long (R-INP-05)', () => {
  const all = files.map((file) => patternsOf(join(root, file)))
  expect(all.flatMap(({ made }) => made)).toEqual([])
  const found = all.flatMap((patterns) => patterns.found)
  expect(found.length).toBeGreaterThan(80)
  expect(found.flatMap(slownessOf)).toEqual([])
})

test.each([
  ['const name = /^(a+)+$/', 'exponential'],
  ['const name = /^(\\w+\\s?)*$/.test(text)', 'exponential'],
  ['const name = text.replace(/\\s+$/, "")', 'polynomial'],
  ['const schema = Type.String({ pattern: "^(a*)*$" })', 'exponential'],
])('%s is %s', (text, speed) => {
  const { found } = patternsOf('planted.ts', text)
  expect(found.flatMap(slownessOf).join()).toContain(`is ${speed}`)
})

test.each(['new RegExp(name)', 'RegExp(`^${name}`)'])('%s can not be judged', (text) => {
  expect(patternsOf('planted.ts', text).made).toEqual(['planted.ts:1'])
})
