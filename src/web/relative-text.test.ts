import { expect, test } from 'vitest'
import { relativeText } from './relative-text.ts'

const now = 1_800_000_000

test.each([
  [0, 'now'],
  [-59, 'now'],
  [-60, '1m ago'],
  [-7200, '2h ago'],
  [-86_400, 'yesterday'],
  [-172_800, '2 days ago'],
  [28_512_000, 'in 11 months'],
  [-31_536_000, 'last year'],
])('%d s from now is %s', (seconds, text) => {
  expect(relativeText(now + seconds, now, 'en')).toBe(text)
})

test('speaks Portuguese', () => {
  expect(relativeText(now - 172_800, now, 'pt-BR')).toBe('anteontem')
})
