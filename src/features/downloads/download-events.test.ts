import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { startReceiver, type WebhookReceiver } from '#testing/servers/webhook-receiver.ts'
import { downloadCounts, publicEventsPerMinute } from './download-counts.ts'

/** The event of a downloaded file: what the statistics of the file count. */

let app: TestApp
let owner: OwnedApp
let receiver: WebhookReceiver
const bytes = randomBytes(1000)
const range = (start: number, end: number) => ({ range: `bytes=${start}-${end}` })

beforeAll(async () => {
  app = await startTestApp()
  receiver = await startReceiver(app)
})
beforeEach(async () => {
  app.advance(61)
  receiver.received.length = 0
  owner = await newOwnerWithApp(app)
})
afterAll(async () => {
  await receiver.close()
  await app.close()
})

const listen = async () => {
  const events = ['file.downloaded' as const]
  return (await owner.visitor.call('POST /create_webhook', { body: { url: receiver.url, events } })).body.webhookId
}
async function uploaded(body: Record<string, unknown> = {}): Promise<string> {
  const file = new File([bytes], 'setup.exe')
  const answer = await owner.visitor.call('POST /downloads/upload', { body: { name: 'Installer', ...body }, file })
  return answer.body.download.downloadId
}
const publicUrl = (id: string) => `/api/1.0/download/${id}`
async function get(path: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(app.url + path, { headers })
  await response.arrayBuffer()
  return response.status
}
/** The URL that a signed-in program gets, and its user. */
async function urlOfProgram(id: string): Promise<[url: string, username: string]> {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  return [String((await program.send('download', { id })).body['url']), key]
}

interface Told {
  type: string
  data: { appId: string; target: string; details: Record<string, unknown> }
}

/** The reply ends before its download is counted. */
async function told(count: number): Promise<Told['data'][]> {
  const counted = async () => {
    await downloadCounts(app.services).flush()
    const events = app.db.read.selectFrom('download_events').select('id').where('app_id', '=', owner.appId)
    return (await events.execute()).length
  }
  await expect.poll(counted).toBe(count)
  await app.jobsDone()
  return receiver.received
    .map(({ body }) => JSON.parse(body) as Told)
    .map(({ data }) => data)
    .filter(({ appId }) => appId === owner.appId)
}

describe('nothing is sent', () => {
  test('for a missing file, a rejected download, a part, and a request for the head', async () => {
    const id = await uploaded({ authenticated: true })
    await listen()
    expect(await get(publicUrl('A'.repeat(22)))).toBe(404)
    expect(await get(publicUrl(id))).toBe(401)
    expect(await get(`${publicUrl(id)}?ticket=forged`)).toBe(401)
    const [url] = await urlOfProgram(id)
    expect(await get(url, range(0, 998))).toBe(206)
    expect(await get(url, range(0, 998))).toBe(206)
    expect((await fetch(app.url + url, { method: 'HEAD' })).ok).toBe(true)
    expect(await told(0)).toEqual([])
  })

  test('without webhooks in the plan, and for a stopped webhook; the download is counted', async () => {
    const id = await uploaded()
    const webhookId = await listen()
    await setPlan(app, owner.id, 'Free')
    expect(await get(publicUrl(id))).toBe(200)
    expect(await told(1)).toEqual([])
    await setPlan(app, owner.id, 'Pro')
    await app.db.write(async (tx) => {
      await tx.db.updateTable('webhooks').set({ stopped_at: app.now() }).where('id', '=', webhookId).execute()
      tx.publish(`webhooks:${owner.appId}`)
    })
    expect(await get(publicUrl(id))).toBe(200)
    expect(await told(2)).toEqual([])
  })

  test('for an app that is deleted before its download is counted', async () => {
    const id = await uploaded()
    await listen()
    await owner.visitor.call('POST /delete_app', { body: { appId: owner.appId } })
    const file = { appId: owner.appId, downloadId: id, name: 'Installer', bytes: 1000, sent: { start: 0, end: 999 } }
    downloadCounts(app.services).record({ ...file, at: app.now(), ip: '127.0.0.1', username: undefined })
    await downloadCounts(app.services).flush()
    await app.jobsDone()
    expect(receiver.received.filter(({ body }) => (JSON.parse(body) as Told).data.appId === owner.appId)).toEqual([])
  })

  test('more than 60 times a minute for public downloads; programs have no limit', async () => {
    const id = await uploaded()
    await listen()
    const total = publicEventsPerMinute + 3
    for (let n = 0; n < total; n++) await get(publicUrl(id))
    expect(await told(total)).toHaveLength(publicEventsPerMinute)
    const [url, username] = await urlOfProgram(id)
    for (let n = 0; n < 2; n++) await get(url)
    const events = await told(total + 2)
    expect(events.slice(publicEventsPerMinute).map(({ details }) => details['username'])).toEqual([username, username])
  })
})

test('a program that downloads a file is named; a public download has an address only', async () => {
  const id = await uploaded()
  await listen()
  expect(await get(publicUrl(id))).toBe(200)
  await told(1)
  const [url, username] = await urlOfProgram(id)
  expect(await get(url)).toBe(200)
  const where = { downloadId: id, ip: '127.0.0.1', country: expect.any(String) as string }
  expect(await told(2)).toEqual([
    { appId: owner.appId, target: 'Installer', details: { ...where, authenticated: false } },
    { appId: owner.appId, target: 'Installer', details: { ...where, authenticated: true, username } },
  ])
})

test('a download that was interrupted and resumed counts once, when its last part was sent', async () => {
  const id = await uploaded({ authenticated: true })
  await listen()
  const [url, username] = await urlOfProgram(id)
  expect(await get(url, range(0, 399))).toBe(206)
  expect(await told(0)).toEqual([])
  expect(await get(url, range(400, 999))).toBe(206)
  expect((await told(1)).map(({ details }) => details['username'])).toEqual([username])
})
