import type { PlatformSettings } from '#server/settings/platform-settings.ts'
import type { TestApp } from './start-test-app.ts'

/** Sets platform settings and account states directly in the database. */

export async function setPlatform<G extends keyof PlatformSettings>(
  app: Pick<TestApp, 'db'>,
  name: G,
  values: Partial<PlatformSettings[G]>,
): Promise<void> {
  const value = JSON.stringify(values)
  await app.db.write(async (tx) => {
    await tx.db.deleteFrom('platform_settings').where('name', '=', name).execute()
    await tx.db.insertInto('platform_settings').values({ name, value }).execute()
    tx.publish('settings:platform')
  })
}

export async function setAccountBanned(app: TestApp, id: string, banned: boolean): Promise<void> {
  await app.db.write(async (tx) => {
    await tx.db
      .updateTable('accounts')
      .set({ banned: banned ? 1 : 0 })
      .where('id', '=', id)
      .execute()
    tx.publish(`account:${id}`)
  })
}

/** Number of rows of a table. */
export async function countRows(
  app: TestApp,
  table: Parameters<TestApp['db']['read']['selectFrom']>[0] & string,
): Promise<number> {
  const { n } = await app.db.read
    .selectFrom(table as 'accounts')
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** As if the owner had selected "remember me", so that tests that advance the clock by hours stay signed in. */
export async function keepSignedIn(app: TestApp, { id }: { id: string }): Promise<void> {
  const change = { remember_me: 1, expires_at: app.now() + 30 * 86_400 }
  await app.db.write(({ db: trx }) =>
    trx.updateTable('account_sessions').set(change).where('account_id', '=', id).execute(),
  )
}
