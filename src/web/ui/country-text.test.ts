import { i18n } from '@lingui/core'
import { afterAll, expect, test } from 'vitest'
import { countryText } from './country-text.ts'

const before = i18n.locale
afterAll(() => i18n.loadAndActivate({ locale: before, messages: {} }))

test.each([
  ['en', 'Germany'],
  ['pt-BR', 'Alemanha'],
  ['es-419', 'Alemania'],
])('in %s, DE is %s', (locale, name) => {
  i18n.loadAndActivate({ locale, messages: {} })
  expect(countryText('DE')).toBe(name)
})

test.each(['QZ', '', 'DE1', '??'])('%j stays as it is', (code) => {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  expect(countryText(code)).toBe(code)
})
