import { expect, test } from 'vitest'
import { pageWindow } from './page-window.ts'

test('shows at most five pages, moves with the page, and stays in range', () => {
  expect(pageWindow(1, 1)).toEqual([1])
  expect(pageWindow(2, 3)).toEqual([1, 2, 3])
  expect(pageWindow(1, 4821)).toEqual([1, 2, 3, 4, 5])
  expect(pageWindow(40, 4821)).toEqual([38, 39, 40, 41, 42])
  expect(pageWindow(4821, 4821)).toEqual([4817, 4818, 4819, 4820, 4821])
})

test('a page past the end still shows existing pages', () => {
  expect(pageWindow(99, 7)).toEqual([3, 4, 5, 6, 7])
})
