import { expect, test } from 'vitest'
import { numberText, typedNumber } from './typed-number.ts'

test.each([
  ['9.99', 9.99],
  ['9,99', 9.99],
  [' 2,5 ', 2.5],
  ['-1', -1],
  ['+3', 3],
  [',5', 0.5],
  ['2.', 2],
  ['0,125', 0.125],
  ['1000', 1000],
])('a decimal comma is read as a decimal point: %s', (text, value) => {
  expect(typedNumber(text, 'en')).toEqual({ value, isReadable: true })
})

test.each(['1,000', '-12,500', '1,000,000', '1.234,56', '1 000', '2,5,', '1e3', '12abc', '--1'])(
  'digits are never joined: %s is not read',
  (text) => {
    expect(typedNumber(text, 'en')).toEqual({ value: undefined, isReadable: false })
  },
)

test('what is a thousand in one language and one in another is read only where the mark is the decimal mark', () => {
  const read = (text: string) => ['en', 'pt-BR', 'es-419'].map((language) => typedNumber(text, language).value)
  expect(read('1.000')).toEqual([1, undefined, undefined])
  expect(read('7,501')).toEqual([undefined, 7.501, undefined])
})

test.each(['', ' ', '-', '+', '.', ',', '-,'])(
  'the beginning of a number is as good as an empty field: "%s"',
  (text) => {
    expect(typedNumber(text, 'en')).toEqual({ value: undefined, isReadable: true })
  },
)

test('a number is written with the decimal mark of the language, and is read again', () => {
  expect(numberText(2.5, 'en')).toBe('2.5')
  expect(numberText(2.5, 'pt-BR')).toBe('2,5')
  expect(numberText(25_000, 'pt-BR')).toBe('25000')
  expect(typedNumber(numberText(1234.567, 'pt-BR'), 'pt-BR').value).toBe(1234.567)
  expect(numberText(undefined, 'en')).toBe('')
})
