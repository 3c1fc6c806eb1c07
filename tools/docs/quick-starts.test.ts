import { expect, test } from 'vitest'
import { outdatedQuickStarts, quickStartPages } from './quick-starts.ts'

test('the quick starts are what tools/docs/quick-starts.ts writes', () => {
  expect(Object.keys(quickStartPages())).toHaveLength(4)
  expect(outdatedQuickStarts()).toEqual([])
})
