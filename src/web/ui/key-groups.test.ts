import { expect, test } from 'vitest'
import { keyGroups, truncateMiddle } from './key-groups.ts'

test.each(['RVG2-bgKF-EBbp-U74D', 'abcdefghij', 'A--B', '-x-', '', 'ключ-12'])('no character of %j is lost', (key) => {
  expect(
    keyGroups(key)
      .map(({ text }) => text)
      .join(''),
  ).toBe(key)
})

test('groups follow the hyphens, else four characters', () => {
  expect(keyGroups('AB-CDE').map(({ text }) => text)).toEqual(['AB', '-CDE'])
  expect(keyGroups('abcdefghij').map(({ text }) => text)).toEqual(['abcd', 'efgh', 'ij'])
})

test('only values that get shorter are cut', () => {
  expect(truncateMiddle('a'.repeat(17))).toBe('a'.repeat(17))
  expect(truncateMiddle('0123456789abcdefXYZ')).toBe('01234567…bcdefXYZ')
})
