import { expect, test } from 'vitest'
import { freeName, maxDownloadNameLength } from './downloads.rules.ts'

test('a name that is taken gets the first free number behind it', () => {
  expect(freeName('setup.exe', [])).toBe('setup.exe')
  expect(freeName('setup.exe', ['setup.exe', 'setup.exe (3)'])).toBe('setup.exe (2)')
  expect(freeName('setup.exe', ['setup.exe', 'setup.exe (2)'])).toBe('setup.exe (3)')
})

test('with its number it is no longer than a name may be', () => {
  const long = 'x'.repeat(maxDownloadNameLength)
  const free = freeName(long, [long])
  expect(free).toHaveLength(maxDownloadNameLength)
  expect(free.endsWith('x (2)')).toBe(true)
})
