import { afterEach, expect, test, vi } from 'vitest'
import { totalText } from './row-total.ts'

afterEach(() => void vi.unstubAllGlobals())

test('a number that stopped at its limit has a plus, in the language of the page', () => {
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  expect(totalText(0)).toBe('0')
  expect(totalText({ count: 10_000, isMore: false })).toBe('10,000')
  expect(totalText({ count: 10_000, isMore: true })).toBe('10,000+')
  vi.stubGlobal('document', { documentElement: { lang: 'pt-BR' } })
  expect(totalText({ count: 10_000, isMore: true })).toBe('10.000+')
})
