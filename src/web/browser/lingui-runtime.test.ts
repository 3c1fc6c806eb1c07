import { globSync, readFileSync } from 'node:fs'
import { setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { I18nProvider, Trans as LinguiTrans } from '@lingui/react'
import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { i18n, Trans } from './lingui-runtime.tsx'
import { messages as portuguese } from '../locales/pt-BR.po'
import { messages as spanish } from '../locales/es-419.po'

const catalogs = { 'pt-BR': portuguese, 'es-419': spanish } as Record<string, typeof portuguese>
const samples = [0, 1, 2, 1_000_000, 'Ana', '']
/** Every value of a message is the same sample. */
const allAre = (sample: unknown) => new Proxy<Record<string, unknown>>({}, { get: () => sample })

type Catalog = Parameters<typeof i18n.loadAndActivate>[0]['messages']

const both = (locale: string) => {
  const messages = catalogs[locale] ?? {}
  const lingui = setupI18n({ locale, messages: { [locale]: messages } })
  i18n.loadAndActivate({ locale, messages: messages as Catalog })
  return { ids: Object.keys(messages), lingui }
}

test.each(['pt-BR', 'es-419'])('every message in %s reads as Lingui itself has it', (locale) => {
  const { ids, lingui } = both(locale)
  expect(ids.length).toBeGreaterThan(1000)
  for (const id of ids)
    for (const sample of samples) expect(i18n._(id, allAre(sample))).toBe(lingui._(id, allAre(sample)))
})

test('a message without a translation is the source text, then its ID', () => {
  const { lingui } = both('en')
  const message = [['count', 'plural', { 0: ['none'], one: ['#', ' key'], other: ['#', ' keys of ', ['app']] }]]
  for (const count of [0, 1, 1234]) {
    const values = { count, app: 'Prism' }
    const expected = lingui._('id', values, { message: message as unknown as string })
    expect(i18n._('id', values, { message: message as never })).toBe(expected)
  }
  expect(i18n._('of count', { count: 1234, app: 'Prism' }, { message: message as never })).toBe('1,234 keys of Prism')
  expect(i18n._({ id: 'untold' })).toBe('untold')
})

test.each(['en', 'pt-BR', 'es-419'])('plurals, ordinals, and choices in %s read as Lingui has them', (locale) => {
  const { lingui } = both(locale)
  const source =
    '{who, select, team {{count, plural, =0 {no key} one {# key of {app}} many {# de keys} other {# keys of {app}}}} ' +
    'other {{count, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} key #1}}'
  const message = compileMessage(source)
  for (const who of ['team', 'user', undefined])
    for (const count of [0, 1, 2, 3, 11, 22, 1.5, 1234, 1_000_000, -1]) {
      const values = { who, count, app: "{count} <b> # '" }
      const expected = lingui._('unknown', values, { message: message as unknown as string })
      expect(i18n._('unknown', values, { message: message as never })).toBe(expected)
    }
  expect(i18n._('unknown', { who: 'user', count: 22 }, { message: message as never })).toMatch(/^22(?:nd|th) key #1$/)
})

test('the dashboard uses no part of Lingui that the run time lacks', () => {
  const sources = globSync(['src/web/**/*.{ts,tsx}', 'src/features/*/web/**/*.{ts,tsx}'])
  const used = sources.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bi18n\.(\w+)/g)])
  expect(Object.keys(i18n)).toEqual(expect.arrayContaining([...new Set(used.map(([, name]) => name))]))
})

test('elements of a text stand where Lingui puts them', () => {
  const { lingui } = both('en')
  const props = {
    id: 'id',
    message: ['Read <0>the <1>whole</1> guide</0>', ' of ', ['who'], '<2/> and ', ['count'], '.'] as never,
    values: { who: h('b', null, 'Ana'), count: 3 },
    components: { 0: h('a', { href: '/docs' }), 1: h('em'), 2: h('br') },
  }
  const theirs = renderToStaticMarkup(h(I18nProvider, { i18n: lingui, children: h(LinguiTrans, props) }))
  expect(renderToStaticMarkup(h(Trans, props))).toBe(theirs)
  expect(theirs).toContain('<a href="/docs">the <em>whole</em> guide</a> of <b>Ana</b>')
})
