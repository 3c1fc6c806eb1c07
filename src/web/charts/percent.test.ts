import { expect, test } from 'vitest'
import { changeText, shareText } from './percent.ts'

test.each([
  [2, 473, '<1%'],
  [471, 473, '>99%'],
  [1, 1_000_000, '<1%'],
  [0, 473, '0%'],
  [473, 473, '100%'],
  [1, 3, '33%'],
  [1, 100, '1%'],
  [0, 0, '0%'],
])('%i of %i are %s', (part, all, expected) => {
  expect(shareText(part, all, 'en')).toBe(expected)
})

test.each([
  [412, 381, '8%'],
  [1001, 1000, '<1%'],
  [999, 1000, '<1%'],
  [1, 1000, '>99%'],
  [0, 1000, '100%'],
  [27, 2, '1,250%'],
  [5, 5, '0%'],
])('from %i to %i changed by %s', (count, before, expected) => {
  expect(changeText(count, before, 'en')).toBe(expected)
})

test('percentages are written as in the language', () => {
  expect(shareText(2, 473, 'pt-BR')).toBe('<1%')
  expect(changeText(27, 2, 'pt-BR')).toBe('1.250%')
})
