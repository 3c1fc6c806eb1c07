import { expect, test } from 'vitest'
import { stepped } from './stepped.ts'

test('steps stay on the grid that starts at the minimum', () => {
  expect(stepped(3600, 60, 300, 86_400)).toBe(3660)
  expect(stepped(3610, 60, 300, 86_400)).toBe(3660)
  expect(stepped(3610, -60, 300, 86_400)).toBe(3600)
})

test('steps never leave the bounds', () => {
  expect(stepped(86_400, 60, 300, 86_400)).toBe(86_400)
  expect(stepped(300, -60, 300, 86_400)).toBe(300)
  expect(stepped(5000, 1, 1, 1000)).toBe(1000)
  expect(stepped(-9, -1, -1)).toBe(-1)
})

test('an empty field starts at the minimum, or at zero', () => {
  expect(stepped(undefined, 1, 1, 64)).toBe(1)
  expect(stepped(undefined, 1)).toBe(0)
})

test('fractions of a step add up without noise', () => {
  expect(stepped(0.2, 0.01, 0)).toBe(0.21)
})
