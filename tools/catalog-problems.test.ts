import { expect, test } from 'vitest'
import { catalogProblems, type Entry } from './catalog-problems.ts'

const catalog = (entries: Record<string, string>): Map<string, Entry> =>
  new Map(Object.entries(entries).map(([message, translation]) => [message, { message, translation }]))

const problemsOf = (message: string, translation: string, locale = 'es') =>
  catalogProblems(locale, catalog({ [message]: translation }), catalog({ [message]: translation }))

test("detects texts that the catalog doesn't have yet or the source no longer has", () => {
  expect(catalogProblems('es', catalog({ Old: 'Viejo' }), catalog({ New: 'Nuevo' }))).toEqual([
    'es: not in the catalog: New',
    'es: no longer used: Old',
  ])
})

test('detects a text without a translation, except in the source language', () => {
  expect(problemsOf('Banned', ' ')).toEqual(['es: not translated: Banned'])
  expect(problemsOf('Banned', '', 'en')).toEqual([])
})

test.each([
  ['{name} is banned', '{nombre} está bloqueada', '{name} is missing in the translation'],
  ['Banned', '{name} está bloqueada', '{name} is only in the translation'],
  ['Read <0>this</0>', 'Lee <0>esto', '</0> is missing in the translation'],
  ['{n, plural, one {# key} other {# keys}}', '{n} claves', '{n, plural} is missing in the translation'],
  [
    '{kind, select, app {An app} other {It}}',
    '{kind, select, aplicación {Una} other {Ello}}',
    '{kind, select, app} is missing in the translation',
  ],
  [
    '{n, plural, one {# key} other {# keys}}',
    '{n, plural, few {# claves} other {#}}',
    '"few" is no plural of this language',
  ],
  ['{n, plural, one {# key} other {# keys}}', '{n, plural, one {# clave}}', 'a choice without "other"'],
])('rejects for %j the translation %j', (message, translation, problem) => {
  expect(problemsOf(message, translation)).toEqual([`es: ${problem}: ${message}`])
})

test('detects an invalid message', () => {
  expect(problemsOf('Keys of {name}', 'Claves de {name')[0]).toMatch(/^es: not a message \(.+\): Keys of \{name\}$/)
})

test('a language can have more plural forms than English', () => {
  const english = '{n, plural, one {<0>#</0> key} other {<0>#</0> keys}} of {app}'
  const spanish = '{n, plural, one {<0>#</0> clave} many {<0>#</0> de claves} other {<0>#</0> claves}} de {app}'
  expect(problemsOf(english, spanish)).toEqual([])
})
