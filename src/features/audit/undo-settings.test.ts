import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entriesOf, latestEntry, undoEntry } from '#testing/people/audit-entries.ts'
import { newAdmin, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

describe('settings of an app are undone by their own call with the values before', () => {
  const save = ({ visitor, appId }: OwnedApp, body: object) =>
    visitor.send<{ code: string }>('POST', '/api/1.0/website/update_app', { body: { appId, ...body } })
  const states = async () =>
    (await entriesOf(owner, { act: 'app.update' })).map(({ undo: offered, undone }) => [offered?.kind, undone])

  test('until one of them is changed again; the call rejects it then, and changes nothing', async () => {
    owner = await newOwnerWithApp(app)
    const { appId } = owner
    await save(owner, { version: '2.0', settings: { vpnBlock: true } })
    expect(await latestEntry(owner, 'app.update')).toMatchObject({
      undo: { kind: 'app', id: appId, until: null },
      undone: false,
      details: { changes: { version: ['1.0.0', '2.0'], vpnBlock: [false, true] } },
    })
    // A change of something else leaves it possible.
    await save(owner, { description: 'since' })
    expect(await states()).toEqual([
      ['app', false],
      ['app', false],
    ])
    const undoing = { version: '1.0.0', settings: { vpnBlock: false }, before: { version: '2.0', vpnBlock: true } }
    expect((await save(owner, undoing)).status).toBe(200)
    expect(await states()).toEqual([
      ['app', false],
      ['app', false],
      [undefined, true],
    ])
    await save(owner, { settings: { vpnBlock: true } })
    await save(owner, { settings: { vpnBlock: false } })
    await save(owner, { version: '3.0' })
    const read = async () => (await owner.visitor.call('GET /apps')).body.apps[0]
    const before = await read()
    const late = await save(owner, {
      version: '2.0',
      settings: { vpnBlock: true },
      before: { version: '1.0.0', vpnBlock: false },
    })
    expect([late.status, late.body.code]).toEqual([409, 'FIELD_CHANGED'])
    expect(await read()).toEqual(before)
  })

  test('but no secret link, no text of which only the beginning is recorded, and none that disables the app', async () => {
    owner = await newOwnerWithApp(app)
    const link = 'https://discord.com/api/webhooks/1/secret'
    for (const body of [
      { version: '2.0', settings: { discordWebhookLink: link } },
      { description: 'long '.repeat(80) },
      { description: 'short' },
      { settings: { appStatus: false } },
      { settings: { appStatus: true } },
      {},
    ])
      expect((await save(owner, body)).status, JSON.stringify(body)).toBe(200)
    expect(await states()).toEqual([
      [undefined, false],
      [undefined, false],
      [undefined, true],
      [undefined, false],
      [undefined, false],
      [undefined, false],
    ])
  })

  test('nobody else is offered it or can do it, and it ends with the app', async () => {
    owner = await newOwnerWithApp(app)
    await save(owner, { version: '2.0' })
    const { id } = await latestEntry(owner, 'app.update')
    for (const stranger of [await newOwnerWithApp(app), await newAdmin(app)]) {
      const body = { appId: owner.appId, version: '1.0.0', before: { version: '2.0' } }
      expect((await stranger.visitor.call('POST /update_app', { body })).status).toBe(404)
      expect((await undoEntry(stranger, id)).status).toBe(404)
    }
    const admin = await newAdmin(app)
    const query = { act: 'app.update', target: owner.appId }
    expect((await admin.visitor.call('GET /admin/audit', { query })).body.entries.map((each) => each.undo)).toEqual([
      null,
    ])
    expect((await undoEntry(owner, id)).body).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    await owner.visitor.call('POST /delete_app', { body: { appId: owner.appId } })
    expect(await states()).toEqual([[undefined, false]])
  })
})
