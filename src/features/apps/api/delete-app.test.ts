import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activityLog } from '#features/logs/logs.actions.ts'
import { expectAllRejected, notTexts } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newAlert } from '#testing/busy-app.ts'
import { Program } from '#testing/people/program.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { startSecondServer } from '#testing/servers/second-server.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { purgeDeletedApps } from '../apps.purge.ts'

let app: TestApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  stranger = await filledApp()
})
afterAll(() => app.close())

/** An app with rows in as many tables as its owner and a program can fill. */
async function filledApp(): Promise<OwnedApp> {
  const owner = await newOwnerWithApp(app)
  const [redeemed = '', deleted = ''] = await newLicenses(owner, 6)
  await owner.visitor.call('POST /delete_license', { body: { licenseKey: deleted } })
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(redeemed)
  await owner.visitor.call('POST /user_variables', {
    body: { username: redeemed, variableName: 'note', variableData: 'kept' },
  })
  await owner.visitor.call('POST /replace_app_keys', { body: { appId: owner.appId } })
  await owner.visitor.call('POST /modify_app_var', { body: { variableName: 'note', variableData: 'kept' } })
  await owner.visitor.call('POST /downloads/upload', { body: { name: 'kept' }, file: new Blob(['kept']) })
  await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: [redeemed] } })
  const sold = await (await newSellingReseller(app, {}, owner)).sell()
  const customer = await Program.of(app, owner)
  await customer.init()
  await customer.license((sold.body as unknown as { licenses: string[] }).licenses[0] ?? '')
  const row = {
    app_id: owner.appId,
    id: owner.appId.slice(-8),
    name: 'key',
    secret_hash: 'x',
    last_four: 'abcd',
    created_at: 1,
  }
  const download = { app_id: owner.appId, download_id: 'x', at: 1, ip: '::1' }
  await owner.visitor.call('POST /create_webhook', { body: { url: 'https://hooks.example/' } })
  await owner.visitor.call('POST /test_webhooks', { body: {} })
  await owner.visitor.call('POST /update_chat_events', { body: { events: [] } })
  const levels = [{ label: 'default', level: 1 }]
  const file = { kind: 'users', source: 'csv', fileName: 'users.csv', fingerprint: 'x', rows: 1, levels } as const
  await owner.visitor.call('POST /imports/start', { body: file })
  const activity = { app_id: owner.appId, at: 1, call: 'init', ip: '::1' }
  await app.db.write(async ({ db: trx }) => {
    await sql`insert into seller_keys ${valuesOf(row)}`.execute(trx)
    await sql`insert into download_events ${valuesOf(download)}`.execute(trx)
    await sql`insert into download_progress ${valuesOf({ ...download, sent: '0-1' })}`.execute(trx)
    await sql`insert into logs ${valuesOf(activity)}`.execute(trx)
    await sql`insert into log_retention ${valuesOf({ app_id: owner.appId, days: 30 })}`.execute(trx)
    await sql`insert into alert_scans ${valuesOf({ app_id: owner.appId, seen_until: 1 })}`.execute(trx)
    const threshold = { app_id: owner.appId, type: 'IP_MULTI_KEY', threshold: 5, window_seconds: 60 }
    await sql`insert into alert_thresholds ${valuesOf(threshold)}`.execute(trx)
    const user = { app_id: owner.appId, hour: 1, username_key: 'x' }
    const count = { app_id: owner.appId, hour: 1, metric: 'sign-in', label: '', count: 1 }
    await sql`insert into activity_hours ${valuesOf(count)}`.execute(trx)
    const listener = { id: 'wl_1', seller_key_id: 'x', events: '[]', followed_at: 1, created_at: 1 }
    await sql`insert into webhook_listeners ${valuesOf({ app_id: owner.appId, ...listener })}`.execute(trx)
    const heard = { listener_id: 'wl_1', number: 1, message_id: 'm', body: '{}', bytes_before: 0 }
    await sql`insert into webhook_listener_events ${valuesOf({ app_id: owner.appId, ...heard })}`.execute(trx)
    await sql`insert into activity_users ${valuesOf(user)}`.execute(trx)
    await sql`insert into activity_last ${valuesOf(user)}`.execute(trx)
  })
  await newAlert(app, owner)
  // Log entries of programs are written slightly later.
  await activityLog(app.services).flush()
  return owner
}
const valuesOf = (row: Record<string, string | number>) =>
  sql`(${sql.join(Object.keys(row).map((name) => sql.ref(name)))}) values (${sql.join(Object.values(row))})`

/**
 * Number of rows of an app by table, for all tables with an `app_id` except the audit log and the table emptied by the
 * search index.
 */
async function rowsOf(appId: string): Promise<Record<string, number>> {
  const query =
    app.db.engine === 'sqlite'
      ? sql<{
          name: string
        }>`select m.name from sqlite_master m join pragma_table_info(m.name) c on c.name = 'app_id' where m.type = 'table'`
      : sql<{
          name: string
        }>`select table_name as name from information_schema.columns where column_name = 'app_id' and table_schema = 'public'`
  const { rows } = await query.execute(app.db.read)
  const counts: Record<string, number> = {}
  for (const { name } of rows) {
    if (name === 'audit' || name === 'search_changes') continue
    const counted = await sql<{
      n: number
    }>`select count(*) as n from ${sql.table(name)} where app_id = ${appId}`.execute(app.db.read)
    counts[name] = Number(counted.rows[0]?.n)
  }
  return counts
}
const remove = (owner: OwnedApp) => owner.visitor.call('POST /delete_app', { body: { appId: owner.appId } })

describe('deleting an app', () => {
  test('makes everything in it unreachable at once', async () => {
    const owner = await filledApp()
    const program = await Program.of(app, owner)
    await program.init()
    const { status, body } = await remove(owner)
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, code: 'APP_DELETE_OK', message: 'App deleted successfully' },
    })
    expect((await owner.visitor.call('GET /apps')).body.apps).toEqual([])
    for (const call of ['GET /licenses', 'GET /users', 'GET /subscriptions'] as const) {
      const byId = await owner.visitor.send('GET', `/api/1.0/website${call.slice(4)}`, {
        headers: { 'x-app-id': owner.appId },
      })
      expect(byId, call).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND' } })
      const selected = await owner.visitor.send('GET', `/api/1.0/website${call.slice(4)}`)
      expect(selected, call).toMatchObject({ status: 400, body: { code: 'NO_APP_SELECTED' } })
    }
    for (const call of ['init', 'heartbeat']) {
      expect(await program.send(call, { version: '1.0.0' }, { unsigned: true })).toMatchObject({
        status: 404,
        body: { code: 'APP_NOT_FOUND' },
      })
    }
    expect(await remove(owner)).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND' } })
  })

  test('then removes all its rows, and none of another app (R-TEN-10)', async () => {
    const owner = await filledApp()
    const before = await rowsOf(owner.appId)
    const others = await rowsOf(stranger.appId)
    // Each table has rows now, so that "no rows" below is meaningful.
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([])
    expect(Object.keys(before).length).toBeGreaterThanOrEqual(9)
    await remove(owner)
    await purgeDeletedApps(app.services)
    expect(Object.values(await rowsOf(owner.appId)).filter((count) => count !== 0)).toEqual([])
    expect(await app.db.read.selectFrom('apps').select('id').where('id', '=', owner.appId).execute()).toEqual([])
    expect(await rowsOf(stranger.appId)).toEqual(others)
  })

  test('frees its name at once for an app with other keys', async () => {
    const owner = await newOwnerWithApp(app, 'Name again')
    const key = async () => (await owner.visitor.call('GET /apps')).body.apps[0]?.settings.serverObfuscationKey
    const old = await key()
    await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Gold' } })
    await remove(owner)
    expect((await owner.visitor.call('POST /create_app', { body: { appName: 'Name again' } })).status).toBe(200)
    expect(await key()).not.toBe(old)
    expect((await owner.visitor.call('GET /subscriptions')).body.subscriptions).toMatchObject([
      { level: 1, name: 'Basic' },
    ])
  })

  test('exactly one of 5 parallel deletions succeeds', async () => {
    const owner = await newOwnerWithApp(app)
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(owner)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404])
  })

  test('a removal interrupted by a stop continues at the next start (R-TEN-10)', async () => {
    const owner = await filledApp()
    // As after a stop between the deletion of the app and the removal of its rows.
    await app.db.write(({ db: trx }) =>
      trx
        .updateTable('apps')
        .set({ deleted_at: app.now(), name_key: 'deleted x' })
        .where('id', '=', owner.appId)
        .execute(),
    )
    expect((await rowsOf(owner.appId))['licenses']).toBe(6)
    const next = await startSecondServer(app)
    // The start itself resumes the removal.
    const left = async () => Object.values(await rowsOf(owner.appId)).filter((count) => count !== 0)
    await expect.poll(left, { timeout: 20_000 }).toEqual([])
    await next.close()
  })

  test('is recorded in the audit, which is kept', async () => {
    const owner = await newOwnerWithApp(app)
    await remove(owner)
    await purgeDeletedApps(app.services)
    const rows = await app.db.read
      .selectFrom('audit')
      .selectAll()
      .where('act', '=', 'app.delete')
      .where('target', '=', owner.appId)
      .execute()
    expect(rows).toMatchObject([{ actor_id: owner.id, details: JSON.stringify({ name: owner.appName }) }])
  })
})

describe('rejecting', () => {
  test('rejects hostile bodies and changes nothing', async () => {
    await expectAllRejected(app, stranger.visitor, '/delete_app', [
      ...[...notTexts, 'i'.repeat(41)].map((appId) => ({ appId })),
      {},
      { appId: stranger.appId, confirm: true },
      { appName: stranger.appName },
      [stranger.appId],
      'null',
      `{"__proto__":{"appId":"${stranger.appId}"}}`,
    ])
  })
})
