import { expect, test } from 'vitest'
import { numberText, typedNumber } from './typed-number.ts'

const decimal = (text: string, language: string) => typedNumber(text, language, { isWhole: false })
const whole = (text: string, language: string) => typedNumber(text, language, { isWhole: true })

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
  expect(decimal(text, 'en')).toEqual({ value, isReadable: true })
})

test.each(['1,000', '-12,500', '1,000,000', '1.234,56', '1 000', '2,5,', '1e3', '12abc', '--1'])(
  'digits of a decimal number are never joined: %s is not read',
  (text) => {
    expect(decimal(text, 'en')).toEqual({ value: undefined, isReadable: false })
  },
)

test('what is a thousand in one language and one in another is read only where the mark is the decimal mark', () => {
  const read = (text: string) => ['en', 'pt-BR', 'es-419'].map((language) => decimal(text, language).value)
  expect(read('1.000')).toEqual([1, undefined, undefined])
  expect(read('7,501')).toEqual([undefined, 7.501, undefined])
})

test('a whole number can have the thousands separators of the language, or spaces', () => {
  const read = (text: string) => ['en', 'pt-BR', 'es-419'].map((language) => whole(text, language).value)
  expect(read('1,000')).toEqual([1000, undefined, 1000])
  expect(read('-1.000.000')).toEqual([undefined, -1_000_000, -1_000_000])
  expect(read('25 000')).toEqual([25_000, 25_000, 25_000])
  expect(read('25\u202f000')).toEqual([25_000, 25_000, 25_000])
  expect(read("1'234'567")).toEqual([1_234_567, 1_234_567, 1_234_567])
})

test.each([
  ['1,00', 1],
  ['1000,000', 1000],
  ['0,125', 0.125],
  ['1.000', undefined],
  ['1,000 000', undefined],
  ['1,,000', undefined],
  ['1,000,', undefined],
  ['1,000.5', undefined],
])('no other digits of a whole number are joined: %s', (text, value) => {
  expect(whole(text, 'en').value).toBe(value)
})

test.each(['', ' ', '-', '+', '.', ',', '-,'])(
  'the beginning of a number is as good as an empty field: "%s"',
  (text) => {
    expect(decimal(text, 'en')).toEqual({ value: undefined, isReadable: true })
  },
)

test('a number is written with the decimal mark of the language, and is read again', () => {
  expect(numberText(2.5, 'en')).toBe('2.5')
  expect(numberText(2.5, 'pt-BR')).toBe('2,5')
  expect(numberText(25_000, 'pt-BR')).toBe('25000')
  expect(decimal(numberText(1234.567, 'pt-BR'), 'pt-BR').value).toBe(1234.567)
  expect(numberText(undefined, 'en')).toBe('')
})
