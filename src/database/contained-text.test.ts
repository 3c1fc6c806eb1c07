import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { strangeTexts } from '#testing/faults/hostile-input.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { containsText } from './search-source.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function contains(text: string, part: string): Promise<boolean> {
  const found = containsText(sql`cast(${text} as text)`, part)
  const row = await app.db.read
    .selectNoFrom(sql<number>`case when ${found} then 1 else 0 end`.as('n'))
    .executeTakeFirst()
  return Number(row?.n) === 1
}

test.each([
  ['Spring Sale', 'ing s'],
  ['Spring Sale', 'SPRING'],
  ['Über Ärger', 'über'],
  ['über ärger', 'ÄRGER'],
  ['über ärger', 'Ü'],
  ['Ωμέγα', 'ΩΜΈ'],
  ['Жук', 'ЖУК'],
  ['Жук Майский', 'ЖУК МАЙ'],
  ['100%', '0%'],
])('%j contains %j, regardless of case in any alphabet', async (text, part) => {
  expect(await contains(text, part)).toBe(true)
})

test.each([
  ['Spring Sale', 'sprung'],
  ['100', '0%'],
  ['name', 'n_me'],
  ['Über', 'uber'],
])('%j does not contain %j', async (text, part) => {
  expect(await contains(text, part)).toBe(false)
})

test.each(strangeTexts.filter(Boolean))('%j contains itself, and is in nothing else', async (text) => {
  expect(await contains(`a ${text} b`, text)).toBe(true)
  expect(await contains('name_01', text)).toBe(false)
})
