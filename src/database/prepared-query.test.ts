import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { preparedQuery } from './prepared-query.ts'
import { forgetPlanOf, keepPlanOf, planNameOf } from './prepared-texts.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const settingOf = preparedQuery((db, { name, length }: { name: string; length: number }) =>
  db.selectFrom('platform_settings').selectAll().where('name', '=', name).where('value', '<>', '').limit(length),
)
const insertSetting = preparedQuery((db, row: { name: string; value: string }) =>
  db.insertInto('platform_settings').values({ name: row.name, value: row.value }).returning('name'),
)

test('a prepared query binds new values on every run, among constants, on every connection', async () => {
  for (const name of ['a', 'b']) {
    expect(await app.db.write(({ db: trx }) => insertSetting(trx, { name, value: `"${name}"` }))).toEqual([{ name }])
  }
  for (const db of [app.db.read, app.db.reports, app.db.read]) {
    expect(await settingOf(db, { name: 'a', length: 5 })).toEqual([{ name: 'a', value: '"a"' }])
    expect(await settingOf(db, { name: 'b', length: 5 })).toEqual([{ name: 'b', value: '"b"' }])
    expect(await settingOf(db, { name: "b' or '1'='1", length: 5 })).toEqual([])
  }
})

test('plans never share a name, also after one was forgotten', () => {
  const texts = ['select 1 as one', 'select 2 as two']
  for (const text of texts) keepPlanOf(text)
  forgetPlanOf('select 1 as one')
  keepPlanOf('select 3 as three')
  expect(planNameOf('select 3 as three')).not.toBe(planNameOf('select 2 as two'))
  for (const text of [...texts, 'select 3 as three']) forgetPlanOf(text)
})
