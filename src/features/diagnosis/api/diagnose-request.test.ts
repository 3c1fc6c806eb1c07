import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activityLog } from '#features/logs/logs.actions.ts'
import { newSubscriber } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
})
afterAll(() => app.close())

const diagnose = async (search: string, who = owner) =>
  (await who.visitor.call('GET /diagnosis', { query: { search } })).body
const newKey = async () => (await newLicenses(owner, 1))[0] ?? ''

async function rejected(key: string, hwid = 'a-machine-of-the-test', who = owner) {
  const program = await Program.of(app, who)
  program.hwid = hwid
  await program.init()
  const { body } = await program.license(key)
  expect(body.success).toBe(false)
  return body['requestId'] as string
}
const ban = (licenseKey: string, banned = true) =>
  owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey, banned } })

const noMatch = { rejection: null, verdict: null, customer: '', license: null, user: null, device: '', events: [] }

describe('a request ID', () => {
  test("of another owner's app is the same as an unknown one (R-TEN-02)", async () => {
    const key = await newKey()
    await ban(key)
    const requestId = await rejected(key)
    const stranger = await newOwnerWithApp(app)
    const [foreign, unknown] = [await diagnose(requestId, stranger), await diagnose('0000-0000', stranger)]
    expect(foreign).toMatchObject(noMatch)
    expect(foreign).toEqual(unknown)
  })

  test("of the owner's other app is the same as an unknown one", async () => {
    const who = await newOwnerWithApp(app)
    const requestId = await rejected('NO-SUCH-KEY', 'a-machine-of-the-test', who)
    expect((await diagnose(requestId, who)).rejection).toMatchObject({ requestId })
    await who.visitor.call('POST /create_app', { body: { appName: 'Second', version: '1.0' } })
    expect(await diagnose(requestId, who)).toEqual(await diagnose('0000-0000', who))
  })

  test.each(['-', '0000 000', "0000'0000", '%%%%-%%%%', '\u{1F600}', 'x'.repeat(1024), '________'])(
    '%j finds no request and causes no error',
    async (search) => {
      const stranger = await newOwnerWithApp(app)
      await rejected('NO-SUCH-KEY', 'a-machine-of-the-test', stranger)
      expect(await diagnose(search, stranger)).toMatchObject(noMatch)
    },
  )

  test('finds exactly its rejection, however people write it', async () => {
    const key = await newKey()
    await rejected('NO-SUCH-KEY')
    await ban(key)
    const at = app.now()
    const requestId = await rejected(key, 'machine of the customer')
    app.advance(60)
    const later = await rejected(key, 'another machine of them')
    expect(later).not.toBe(requestId)
    const asPeopleWrite = [
      requestId,
      requestId.toLowerCase(),
      requestId.replace('-', ''),
      ` ${requestId.replace('-', ' ')}\n`,
      requestId.replaceAll('0', 'O').replaceAll('1', 'l'),
    ]
    for (const text of asPeopleWrite) {
      const { rejection, verdict, customer, license, device } = await diagnose(text)
      expect(rejection, text).toMatchObject({ requestId, timestamp: at, code: 'LICENSE_BANNED', licenseKey: key })
      expect(rejection?.decision, text).toMatchObject({ stillApplies: true, fix: 'license', target: key })
      expect(verdict, text).toMatchObject({ state: 'rejected', code: 'LICENSE_BANNED', since: at })
      expect([customer, license?.licenseKey], text).toEqual([key, key])
      expect(device, text).toBe(rejection?.device)
    }
  })

  test('finds its rejection below 10,000 newer ones of the same customer, and says what to do now', async () => {
    const key = await newKey()
    await ban(key)
    const requestId = await rejected(key)
    const log = activityLog(app.services)
    const row = { appId: owner.appId, call: 'license', code: 'LICENSE_BANNED', message: '', ip: '203.0.113.7' }
    const of = { username: key, license: key }
    for (let n = 0; n < 10_000; n++) log.record({ ...row, ...of, at: app.now() + 1, session: `start-${n}` })
    const { rejection, verdict, events, hasMore } = await diagnose(requestId)
    expect(new Set(events.map(({ decision }) => decision?.cause?.act))).toEqual(new Set(['license.ban']))
    expect(rejection).toMatchObject({ requestId, decision: { stillApplies: true, cause: { act: 'license.ban' } } })
    expect(verdict).toMatchObject({ state: 'rejected', code: 'LICENSE_BANNED' })
    expect([events.length, hasMore]).toEqual([100, true])
    app.advance(1)
    await ban(key, false)
    expect(await diagnose(requestId)).toMatchObject({
      rejection: { requestId, decision: { stillApplies: false, change: { act: 'license.unban' } } },
    })
  })

  test('that two rejections share finds the newer one, and both are in the timeline', async () => {
    const log = activityLog(app.services)
    const row = { appId: owner.appId, call: 'license', code: 'LICENSE_NOT_FOUND', ip: '203.0.113.8' }
    const request = 'ZZZZ-ZZZZ'
    log.record({ ...row, at: app.now(), license: 'FIRST', username: 'FIRST', request })
    log.record({ ...row, at: app.now() + 5, license: 'OTHER', username: 'OTHER', request })
    const { rejection, customer, events } = await diagnose('zzzz zzzz')
    expect([rejection?.licenseKey, customer]).toEqual(['OTHER', 'OTHER'])
    const shared = events.filter(({ requestId }) => requestId === request)
    expect(shared.map(({ licenseKey }) => licenseKey)).toEqual(['OTHER', 'FIRST'])
  })

  test('of a program that named nobody shows its machine or address only', async () => {
    const who = await newOwnerWithApp(app)
    const program = await Program.of(app, who)
    const { body } = await program.init('0.0.1')
    const { rejection, verdict, customer, events } = await diagnose(body['requestId'] as string, who)
    expect(rejection).toMatchObject({ code: 'VERSION_OUTDATED', decision: { fix: 'settings', version: '1.0.0' } })
    expect(verdict).toMatchObject({ state: 'uncertain', code: 'VERSION_OUTDATED' })
    expect([customer, events.length]).toEqual(['', 1])
  })

  test('finds a user whose name looks like one', async () => {
    const who = await newOwnerWithApp(app)
    await newSubscriber(who, { username: 'ABCD-1234' })
    expect(await diagnose('ABCD-1234', who)).toMatchObject({ rejection: null, user: { username: 'ABCD-1234' } })
    expect(await diagnose('abcd1234', who)).toMatchObject({ rejection: null, user: null })
  })

  test('stays with the rejection after its address and machine were removed (R-PII-01)', async () => {
    const requestId = await rejected('NO-SUCH-KEY-AT-ALL', 'a machine to be forgotten')
    expect((await diagnose(requestId)).rejection).toMatchObject({ ip: '127.0.0.1', requestId })
    await app.db.write((tx) =>
      tx.db
        .updateTable('logs')
        .set({ ip: '', hwid_hash: '', machine_hash: '' })
        .where('request', '=', requestId)
        .execute(),
    )
    expect((await diagnose(requestId)).rejection).toMatchObject({ ip: '', device: '', requestId })
  })

  test('finds the row in the log, and a successful call has none', async () => {
    const requestId = await rejected('NO-SUCH-KEY')
    const list = async (search: string) => (await owner.visitor.call('GET /logs', { query: { search } })).body.logs
    for (const text of [requestId, requestId.toLowerCase().replace('-', ' ')]) {
      expect(await list(text), text).toMatchObject([{ requestId, code: 'LICENSE_NOT_FOUND' }])
    }
    const { logs } = (await owner.visitor.call('GET /logs', { query: { rejected: false } })).body
    expect(new Set(logs.map((log) => log.requestId))).toEqual(new Set(['']))
  })
})
