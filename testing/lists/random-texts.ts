import fc from 'fast-check'
import { shortestIndexedSearch } from '#database/search-source.ts'
import { testEngine } from '../start-test-app.ts'

/** Texts of rows and of searches: accents, case, punctuation, wildcards, characters outside the BMP, and short ones. */

const words = [
  ['anna', 'Anna', 'ANNA', 'Ánna', 'über', 'ÜBER', 'straße', 'STRASSE', 'é', 'É', 'e\u0301', 'ß', 'İ', 'ı', 'i', 'I'],
  ['100%', '50_50', 'a_b', 'a%b', 'axb', '%', '_', '\\', 'back\\slash', "o'neil", '"quoted"', 'semi;colon', '#1'],
  ['日本語', '本', 'ωμέγα', 'ΩΜΈΓΑ', 'Σίσυφος', 'жук', 'ЖУК', '😀', '😀😀😀', 'ﬁ', 'ſ', '\ufffd'],
  ['-', '--', 'a.b-c', 'a-7', 'aq7', 'a+b', '^x', '*', 'AND', 'OR', 'NEAR(', 'a b', 'null'],
  ['a', 'b', 'ab', 'abc', 'x', '1', '12', '123', ':1', '::5', '[', '},'],
].flat()

const word = fc.constantFrom(...words)

export const someText = fc.oneof(
  word,
  fc.tuple(word, word).map((each) => each.join('')),
  fc.tuple(word, word).map((each) => each.join(' ')),
  fc.tuple(word, word, word).map((each) => each.join('-')),
)

const partOf = (text: string) =>
  fc.nat([...text].length - 1).map((at) => [...text].slice(at, at + shortestIndexedSearch).join(''))

export const someSearch = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 2, arbitrary: someText },
  { weight: 1, arbitrary: someText.map((text) => text.toUpperCase()) },
  { weight: 1, arbitrary: someText.map((text) => text.toLowerCase()) },
  { weight: 1, arbitrary: someText.map((text) => ` ${text}  `) },
  { weight: 1, arbitrary: someText.chain(partOf) },
  { weight: 1, arbitrary: fc.constantFrom(' ', '', '\ud800', '\u0001') },
)

/** A search must find the row, may find it because of what the rules leave open, or must not. */
export type Found = 'yes' | 'maybe' | 'no'

interface SearchedTexts {
  /** Each is searched. */
  fields: readonly string[]
  /** A search may find these, too. */
  more?: readonly string[]
  /** The texts have an index, for which a database of locale C only ignores the case of A to Z (LIC-29). */
  isIndexed?: boolean
}

export const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** CAL-41. What differs in more than case, as `ß` and `SS`, and what spans two fields, is left open. */
export function foundIn(search: string, { fields, more = [], isIndexed = false }: SearchedTexts): Found {
  const text = search.toWellFormed().trim()
  if (text === '') return 'yes'
  const isExact = isIndexed && testEngine === 'postgres' && [...text].length >= shortestIndexedSearch
  const inOtherCase = [text.toLowerCase(), text.toUpperCase()].filter(({ length }) => length === text.length)
  const spellings = [text, ...(isExact ? [] : inOtherCase)].map(lowerAscii)
  if (fields.some((field) => spellings.some((each) => lowerAscii(field).includes(each)))) return 'yes'
  const fold = (each: string) => each.toLowerCase().toUpperCase().toLowerCase()
  const isIn = (whole: string) => fold(whole).includes(fold(text)) || whole.toUpperCase().includes(text.toUpperCase())
  return [' ', '\n', ''].some((mark) => isIn([...fields, ...more].join(mark))) ? 'maybe' : 'no'
}
