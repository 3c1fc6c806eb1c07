import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contextProblems, shared } from './text-contexts.ts'

const catalog = readFileSync('src/web/locales/en.po', 'utf8')
const entry = (id: string, places: string[], context?: string) =>
  [...places.map((place) => `#: ${place}`), ...(context ? [`msgctxt "${context}"`] : []), `msgid "${id}"`].join('\n')
const planted = (...texts: string[]) => [catalog, ...texts].join('\n\n')

test('an ambiguous word in two places needs a context or one meaning that is written down', () => {
  expect(contextProblems(catalog)).toEqual([])
  const places = ['src/web/a.tsx', 'src/web/b.tsx']
  expect(contextProblems(planted(entry('Open', places)))).toEqual([
    expect.stringContaining('"Open" stands in 2 places'),
  ])
  // Each use counts as a place, even two in one file.
  expect(contextProblems(planted(entry('Sort', ['src/web/a.tsx', 'src/web/a.tsx'])))).toHaveLength(1)
  expect(contextProblems(planted(entry('Open', places, 'a file')))).toEqual([])
  expect(contextProblems(planted(entry('Open', places.slice(1))))).toEqual([])
  expect(contextProblems(planted(entry('Open the file', places)))).toEqual([])
  expect(contextProblems(planted(entry('Open', places)), { ...shared, Open: 'button' })).toEqual([])
})

test('a meaning that no text needs any more goes from the list', () => {
  expect(contextProblems(catalog, { ...shared, Release: 'noun' })).toEqual([expect.stringContaining('"Release"')])
})
