import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FileStorage, newFileStorage, fileStorageKinds } from '#testing/file-storages.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { downloadCounts } from '../download-counts.ts'
import { newTicket } from '../download-ticket.ts'

let place: FileStorage
let app: TestApp
let owner: OwnedApp

let made = 0
const bytes = randomBytes(200_000)
/** More than connections buffer without being read. */
const large = randomBytes(7_900_000)
async function uploaded(body: Record<string, unknown> = {}, name = 'setup.exe', who = owner, content = bytes) {
  const file = new File([content], name)
  const answer = await who.visitor.call('POST /downloads/upload', { body: { name: `file ${++made}`, ...body }, file })
  return answer.body.download.downloadId
}
const get = (id: string, headers: Record<string, string> = {}, query = '', method = 'GET') =>
  fetch(`${app.url}/api/1.0/download/${id}${query}`, { method, headers })
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]
async function statistics(id: string) {
  await downloadCounts(app.services).flush()
  return (await owner.visitor.call('GET /downloads/file/{name}/stats', { params: { name: id } })).body.stats
}
async function progressOf(id: string) {
  await downloadCounts(app.services).flush()
  return app.db.read.selectFrom('download_progress').selectAll().where('download_id', '=', id).execute()
}
const info = (id: string) => app.visitor().send('GET', `/api/1.0/download/${id}/info`)

const names = [
  '../../etc/passwd',
  '..%2f..%2fetc',
  'a\0b.exe',
  'a\r\nset-cookie: x=1',
  '"; filename="evil.exe',
  "'quoted'",
  'photo\u202Egnp.exe',
  'CON',
  'con.txt',
  'x'.repeat(5000),
  '.htaccess',
  '   ',
  '\uD800half',
  '日本語.exe',
  '\\\\server\\share',
]

describe.each(fileStorageKinds)('files %s', (kind) => {
  beforeAll(async () => {
    place = await newFileStorage(kind)
    app = await startTestApp({ config: place.config })
    owner = await newOwnerWithApp(app)
  })
  afterAll(async () => {
    await app.close()
    await place.close()
  })

  describe('the public link', () => {
    test('returns nothing while the app is off, and no information about the file', async () => {
      const other = await newOwnerWithApp(app)
      const id = await uploaded({}, 'setup.exe', other)
      const turn = (appStatus: boolean) =>
        other.visitor.call('POST /update_app', { body: { appId: other.appId, settings: { appStatus } } })
      await turn(false)
      expect(await codeOf(await get(id))).toEqual([404, 'DOWNLOAD_NOT_FOUND'])
      expect((await info(id)).status).toBe(404)
      await turn(true)
      expect((await get(id)).status).toBe(200)
    })

    test('returns the bytes as an attachment, never for display (R-UP-04)', async () => {
      const id = await uploaded({}, 'Instalação "1".html')
      const response = await get(id)
      expect(response.status).toBe(200)
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-length': '200000',
        'content-disposition': `attachment; filename="Instala??o _1_.html"; filename*=UTF-8''Instala%C3%A7%C3%A3o%20_1_.html`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'accept-ranges': 'bytes',
        'cache-control': 'no-store',
      })
    })

    test('describes a file without returning it (R-UP-07)', async () => {
      const id = await uploaded({ description: 'The installer' })
      const { body } = await info(id)
      expect(body).toMatchObject({
        fileName: 'setup.exe',
        fileSize: 200_000,
        description: 'The installer',
        authenticated: false,
      })
      expect(body['sha256']).toMatch(/^[0-9a-f]{64}$/)
    })

    test('a disabled, a deleted, and a missing file all return the same 404 (R-UP-07)', async () => {
      const [disabled, deleted] = [await uploaded(), await uploaded()]
      await owner.visitor.call('POST /downloads/file/{name}/toggle', {
        params: { name: disabled },
        body: { active: false },
      })
      await owner.visitor.call('DELETE /downloads/file/{name}', { params: { name: deleted }, body: {} })
      for (const id of [disabled, deleted, 'A'.repeat(22), '..', '%2e%2e%2fsignet.db', 'x'.repeat(99)]) {
        expect(await codeOf(await get(id)), id).toEqual([
          404,
          id === '..' ? 'NOT_FOUND' : expect.stringMatching(/NOT_FOUND$/),
        ])
        expect((await info(id)).status, id).toBe(404)
      }
      await owner.visitor.call('POST /downloads/file/{name}/toggle', { params: { name: disabled }, body: {} })
      expect((await get(disabled)).status).toBe(200)
    })

    test('stops working once its app is deleted or its owner banned (R-AUTH-14)', async () => {
      const [gone, banned] = [await newOwnerWithApp(app), await newOwnerWithApp(app)]
      const [ofGone, ofBanned] = [await uploaded({}, 'a', gone), await uploaded({}, 'a', banned)]
      await gone.visitor.call('POST /delete_app', { body: { appId: gone.appId } })
      await app.db.write(({ db }) =>
        db.updateTable('accounts').set({ banned: 1 }).where('id', '=', banned.id).execute(),
      )
      for (const id of [ofGone, ofBanned]) expect((await get(id)).status).toBe(404)
    })
  })

  describe('a range', () => {
    test.each([
      ['bytes=0-9', 0, 9],
      ['bytes=199990-', 199_990, 199_999],
      ['bytes=-5', 199_995, 199_999],
      ['bytes=100-999999', 100, 199_999],
      ['bytes=0-0', 0, 0],
    ])('%s returns exactly those bytes (R-UP-08)', async (range, start, end) => {
      const response = await get(await uploaded(), { range })
      expect(response.status).toBe(206)
      expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/200000`)
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(start, end + 1))).toBe(true)
    })

    test('is ignored if invalid, rejected past the end of the file, and answered with the whole file if there are several', async () => {
      const id = await uploaded()
      for (const range of ['bytes=x', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=9-1,']) {
        expect((await get(id, { range })).status, range).toBe(200)
      }
      const behind = await get(id, { range: 'bytes=200000-' })
      expect([behind.status, behind.headers.get('content-range')]).toEqual([416, 'bytes */200000'])
    })

    test("resumes only with the same bytes, and doesn't resend what the client already has", async () => {
      const id = await uploaded()
      const etag = (await get(id, {}, '', 'HEAD')).headers.get('etag') as string
      expect((await get(id, { range: 'bytes=5-', 'if-range': etag })).status).toBe(206)
      expect((await get(id, { range: 'bytes=5-', 'if-range': '"other"' })).status).toBe(200)
      for (const tags of [etag, '*', `W/${etag}`, `"other", ${etag}`])
        expect((await get(id, { 'if-none-match': tags })).status, tags).toBe(304)
      for (const tags of ['', '"', '"other"', etag.slice(1, -1)])
        expect((await get(id, { 'if-none-match': tags })).status, tags).toBe(200)
    })

    test('HEAD has the headers of the whole file, its length too, and no bytes', async () => {
      const id = await uploaded()
      const whole = await get(id)
      const bytes = await whole.arrayBuffer()
      for (const range of ['', 'bytes=5-9', 'bytes=999999-']) {
        const head = await get(id, { range }, '', 'HEAD')
        expect([head.status, Number(head.headers.get('content-length'))]).toEqual([200, bytes.byteLength])
        expect(head.headers.get('etag')).toBe(whole.headers.get('etag'))
        expect((await head.arrayBuffer()).byteLength).toBe(0)
      }
    })

    test('counts once all bytes of the file were sent, in one reply or several (R-UP-08)', async () => {
      const id = await uploaded()
      await (await get(id, { range: 'bytes=0-99999' })).arrayBuffer()
      await get(id, {}, '', 'HEAD')
      expect((await statistics(id)).total_downloads).toBe(0)
      await (await get(id, { range: 'bytes=100000-' })).arrayBuffer()
      expect((await statistics(id)).total_downloads).toBe(1)
      await (await get(id)).arrayBuffer()
      expect(await statistics(id)).toEqual({
        total_downloads: 2,
        authenticated_downloads: 0,
        anonymous_downloads: 2,
        unique_ips: 1,
        countries: { '': 2 },
      })
    })

    test("of one byte doesn't count as a download: not the first, not the last, not repeated (R-UP-08)", async () => {
      const id = await uploaded()
      for (const range of ['bytes=0-0', 'bytes=-1', 'bytes=199999-', 'bytes=100-100', 'bytes=-1'])
        expect((await get(id, { range })).status).toBe(206)
      expect((await statistics(id)).total_downloads).toBe(0)
    })

    test('that completes an interrupted download counts as one download (R-UP-08)', async () => {
      const id = await uploaded({}, 'large.bin', owner, large)
      const controller = new AbortController()
      const { body } = await fetch(`${app.url}/api/1.0/download/${id}`, { signal: controller.signal })
      const { value } = (await body?.getReader().read()) ?? {}
      const received = value?.length ?? 0
      controller.abort()
      await expect.poll(() => progressOf(id)).toHaveLength(1)
      expect((await statistics(id)).total_downloads).toBe(0)
      const rest = await get(id, { range: `bytes=${received}-` })
      expect(Buffer.from(await rest.arrayBuffer()).equals(large.subarray(received))).toBe(true)
      expect((await statistics(id)).total_downloads).toBe(1)
      expect(await progressOf(id)).toEqual([])
    })
  })

  test('limits the files that a network can download per minute', async () => {
    const { limits } = app.services.config
    const { programStartsPerMinute } = limits
    const id = await uploaded()
    app.advance(61)
    limits.programStartsPerMinute = 2
    try {
      const answers = [await get(id), await get(id, { range: 'bytes=0-0' }), await get(id)]
      expect(answers.map(({ status }) => status)).toEqual([200, 206, 429])
      expect(answers[2]?.headers.get('retry-after')).toMatch(/^\d+$/)
      app.advance(61)
      expect((await get(id)).status).toBe(200)
    } finally {
      limits.programStartsPerMinute = programStartsPerMinute
    }
  })

  describe('an unavailable file', () => {
    const unavailable = [503, 'FILES_UNAVAILABLE']

    test("whose store is away returns 503 with Retry-After and isn't counted", async () => {
      const id = await uploaded()
      await place.goAway()
      try {
        const response = await get(id)
        expect(response.headers.get('retry-after')).toBe('10')
        expect(response.headers.get('content-disposition')).toBeNull()
        expect(await codeOf(response)).toEqual(unavailable)
        expect(await codeOf(await get(id, { range: 'bytes=5-' }))).toEqual(unavailable)
        expect((await info(id)).status).toBe(200)
      } finally {
        await place.comeBack()
      }
      expect(await statistics(id)).toMatchObject({ total_downloads: 0 })
      expect((await get(id)).status).toBe(200)
    })

    test('whose bytes are lost returns 503', async () => {
      const id = await uploaded()
      place.lose(id)
      expect(await codeOf(await get(id))).toEqual(unavailable)
    })
  })

  describe('a file that requires a signed-in program', () => {
    const signedIn = async () => {
      const program = await Program.of(app, owner)
      await program.init()
      await program.license((await newLicenses(owner, 1))[0] ?? '')
      const { sessions } = (await owner.visitor.call('GET /sessions')).body
      return sessions[0]?.session_id ?? ''
    }
    const ticket = (downloadId: string, session: string) =>
      `?ticket=${newTicket(app.services.masterKey, { downloadId, session, now: app.now() })}`

    test('rejects a missing, forged, or old ticket, and one for another file (R-UP-07)', async () => {
      const [id, other] = [await uploaded({ authenticated: true }), await uploaded({ authenticated: true })]
      const session = await signedIn()
      const right = ticket(id, session)
      expect((await get(id, {}, right)).status).toBe(200)
      const longer = right.replace(/=\d+/, (expiry) => `=${Number(expiry.slice(1)) + 1000}`)
      for (const query of [
        '',
        '?ticket=x',
        ticket(other, session),
        `${right}x`,
        longer,
        ticket(id, 'no-such-session'),
      ]) {
        expect(await codeOf(await get(id, {}, query)), query).toEqual([401, 'DOWNLOAD_AUTH_REQUIRED'])
      }
      app.advance(61)
      expect((await get(id, {}, right)).status).toBe(401)
    })

    test('is rejected as soon as the session ends, and counts as authenticated before', async () => {
      const id = await uploaded({ authenticated: true })
      const session = await signedIn()
      await (await get(id, {}, ticket(id, session))).arrayBuffer()
      expect(await statistics(id)).toMatchObject({ authenticated_downloads: 1, anonymous_downloads: 0 })
      await owner.visitor.call('POST /delete_session', { body: { sessionId: session } })
      expect((await get(id, {}, ticket(id, session))).status).toBe(401)
    })

    test('is rejected while the user is paused', async () => {
      const id = await uploaded({ authenticated: true })
      const session = await signedIn()
      const ofSession = ticket(id, session)
      const user = (await owner.visitor.call('GET /sessions')).body.sessions.find((each) => each.session_id === session)
      const body = { username: user?.verifiedUser ?? '' }
      await owner.visitor.call('POST /toggle_pause_user', { body })
      expect(await codeOf(await get(id, {}, ofSession))).toEqual([401, 'DOWNLOAD_AUTH_REQUIRED'])
      await owner.visitor.call('POST /toggle_pause_user', { body })
      expect((await get(id, {}, ofSession)).status).toBe(200)
    })
  })

  test.each(names)("a file name %j can't split a header or leave its folder (R-UP-05)", async (name) => {
    const id = await uploaded({ name: `named ${++made}` }, name)
    // The client library rejects some names.
    if (id === undefined) return
    const response = await get(id)
    const disposition = response.headers.get('content-disposition') ?? ''
    expect(response.status).toBe(200)
    expect(disposition).toMatch(
      /^attachment; filename=("[\x20-\x7e]*"|[\w.%'-]+)(; filename\*=UTF-8''[\w.!#$&+^`|~%-]+)?$/,
    )
    expect(decodeURIComponent(disposition)).not.toMatch(/[\\\r\n\0\u202e]|\/|\.\.\./)
    expect(disposition.length).toBeLessThan(4000)
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  test('deletes who downloaded a file after 90 days, and partial downloads after one; the counts stay (R-UP-08)', async () => {
    const id = await uploaded()
    await (await get(id)).arrayBuffer()
    expect(await statistics(id)).toMatchObject({ unique_ips: 1 })
    await (await get(id, { range: 'bytes=0-99999' })).arrayBuffer()
    expect(await progressOf(id)).toHaveLength(1)
    app.advance(2 * 86_400)
    await app.jobsDone()
    expect(await progressOf(id)).toEqual([])
    app.advance(89 * 86_400)
    await app.jobsDone()
    const events = app.db.read.selectFrom('download_events').select('id').where('download_id', '=', id)
    expect(await events.execute()).toEqual([])
    const files = app.db.read.selectFrom('downloads').select('download_count').where('id', '=', id)
    expect(Number((await files.executeTakeFirstOrThrow()).download_count)).toBe(1)
  })
})
