import { expect, test } from 'vitest'
import { pageRows, releasedRows, toggledRows } from './selection.ts'

const pageIds = ['k', 'l', 'm', 'n']
const onPageBefore = { ids: new Set(['a', 'b']), allMatching: false }
/** Chosen on the page before. */
const all = { ...onPageBefore, allMatching: true }

test('a row is selected, deselected, or takes all rows back to the last one with it', () => {
  expect([...toggledRows(onPageBefore, 'l', { from: 'l', pageIds })]).toEqual(['a', 'b', 'l'])
  const chosen = { ids: new Set(['a', 'l']), allMatching: false }
  expect([...toggledRows(chosen, 'l', { from: 'l', pageIds })]).toEqual(['a'])
  expect([...toggledRows(chosen, 'n', { from: 'l', pageIds })]).toEqual(['a', 'l', 'm', 'n'])
  expect([...toggledRows(chosen, 'n', { from: 'on another page', pageIds })]).toEqual(['a', 'l', 'n'])
})

test('a page is selected and deselected beside the rows of other pages', () => {
  const ids = pageRows(onPageBefore, pageIds, true)
  expect([...ids]).toEqual(['a', 'b', ...pageIds])
  expect([...pageRows({ ids, allMatching: false }, pageIds, false)]).toEqual(['a', 'b'])
})

test('a row that is deselected of all matching rows leaves the others of its page, and the page leaves none', () => {
  expect([...toggledRows(all, 'l', { from: 'l', pageIds })]).toEqual(['k', 'm', 'n'])
  expect([...pageRows(all, pageIds, false)]).toEqual([])
})

test('rows of a finished action are deselected, and what was selected since stays', () => {
  const rows = (...ids: string[]) => ({ ids: new Set(ids) })
  const matching = (matchingKey: string) => ({ ids: new Set<string>(), matchingKey })
  expect(releasedRows(rows('a', 'b', 'c'), rows('a', 'b'))).toEqual(rows('c'))
  expect(releasedRows(matching('unused'), rows('a'))).toEqual(matching('unused'))
  expect(releasedRows(matching('unused'), matching('unused'))).toEqual(rows())
  expect(releasedRows(matching('unused'), matching('used'))).toEqual(matching('unused'))
  expect(releasedRows(rows('a'), matching('unused'))).toEqual(rows('a'))
})
