import { expect, test } from 'vitest'
import { acceptedLanguage, languageOf } from './language.ts'

test.each([
  ['pt-BR', 'pt-BR'],
  ['pt-PT,pt;q=0.9', 'pt-BR'],
  ['en-US,en;q=0.9,pt;q=0.8', 'en'],
  ['en;q=0.5,pt;q=0.8', 'pt-BR'],
  ['fr-FR,fr;q=0.9,pt;q=0.3', 'pt-BR'],
  ['PT-br ; q=1', 'pt-BR'],
  ['es-MX,es;q=0.9,en;q=0.8', 'es-419'],
  ['es', 'es-419'],
  ['ES-419', 'es-419'],
  ['pt;q=0,en', 'en'],
  ['pt;q=2', undefined],
  ['pt;q=x', undefined],
  ['*', undefined],
  ['fr,de;q=0.7', undefined],
  ['', undefined],
  [undefined, undefined],
  ['__proto__,constructor', undefined],
  [`${'fr,'.repeat(20)}pt`, undefined],
])('of %j the reader wants %j', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language)
})

test.each([
  ['pt-BR', 'pt-BR'],
  ['es-419', 'es-419'],
  ['en', 'en'],
  ['xx', 'en'],
  [null, 'en'],
])('stored as %j it is %j', (stored, language) => {
  expect(languageOf(stored)).toBe(language)
})
