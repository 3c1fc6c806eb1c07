import { i18n } from '@lingui/core'
import { afterEach, expect, test, vi } from 'vitest'
import { partText, stoppedText } from './bulk-toasts.ts'

afterEach(() => vi.unstubAllGlobals())

test('the counts of a bulk action have the digits of the reader', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  vi.stubGlobal('document', { documentElement: { lang: 'pt-BR' } })
  expect(partText({ done: 12_345, failed: 6789 })).toBe('12.345 done · 6.789 failed')
  expect(stoppedText('Away', 12_345)).toContain('12.345')
})
