import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'

describe.runIf(testEngine === 'postgres')('the pending list of a search index', () => {
  let app: TestApp
  let owner: OwnedApp

  beforeAll(async () => {
    app = await startTestApp()
    owner = await newOwnerWithApp(app)
    await sql`create extension pageinspect`.execute(app.db.read)
  })
  afterAll(() => app.close())

  async function pendingPages(): Promise<number> {
    const { rows } = await sql<{ pages: string }>`
      select n_pending_pages as pages from gin_metapage_info(get_raw_page('licenses_search', 0))`.execute(app.db.read)
    return Number(rows[0]?.pages)
  }

  test('holds new keys, and is emptied when it settles', async () => {
    await expect
      .poll(async () => {
        await newLicenses(owner, 500)
        return pendingPages()
      })
      .toBeGreaterThan(0)
    await app.db.searchSettled()
    expect(await pendingPages()).toBe(0)
  })

  test('is emptied soon after a write, without another one', async () => {
    await newLicenses(owner, 500)
    await expect.poll(pendingPages).toBe(0)
  })

  test('has room for 40,000 keys', async () => {
    const { rows } = await sql<{ options: string[] }>`
      select reloptions as options from pg_class where relname in ('licenses_search', 'users_search')`.execute(
      app.db.read,
    )
    expect(rows).toEqual([{ options: ['gin_pending_list_limit=32768'] }, { options: ['gin_pending_list_limit=32768'] }])
  })
})
