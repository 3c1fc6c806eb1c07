import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectRejected, hostileBodies, notFlags, notTexts } from '#testing/faults/hostile-input.ts'
import { setPlan } from '#testing/people/people.ts'
import { expectSaleRejected, newSeller, newShop, type Seller, type Shop, sold } from '#testing/people/sellers.ts'
import type { Answer } from '#testing/people/visitor.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

const mb = 1_000_000
let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  // An address may register few accounts in an hour.
  app.advance(3600)
  shop = await newShop(app)
})

interface StoredFile {
  downloadId: string
  name: string
  active: boolean
  completed: boolean
  authenticated: boolean
}

/** Sends a form; `file` is left out if undefined. */
async function upload(
  fields: Record<string, string> = {},
  { file = new File(['bytes'], 'setup.exe'), seller = shop.seller }: { file?: File | null; seller?: Seller } = {},
): Promise<Answer<{ download: StoredFile }>> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file) form.append('file', file)
  const response = await fetch(`${app.url}/api/1.0/seller/downloads/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seller.key}` },
    body: form,
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as never }
}

const list = async (seller = shop.seller) =>
  (await sold<{ downloads: StoredFile[] }>(seller, 'GET', '/downloads')).downloads
let fetches = 0

/** A download is counted after its reply, which would be a change in the midst of a test that expects none. */
async function fetched(id: string): Promise<Response> {
  const response = await fetch(`${app.url}/api/1.0/download/${id}`)
  if (response.ok) {
    fetches += 1
    await expect.poll(() => app.db.read.selectFrom('download_events').select('id').execute()).toHaveLength(fetches)
  }
  return response
}
const codeOf = ({ status, body }: Answer) => [status, body.code]

describe('an upload', () => {
  test('that is no form with one file is rejected and leaves nothing', async () => {
    await shop.seller.send('GET', '/stats')
    const before = await databaseDigest(app.db, ['deleted_files'])
    expect(codeOf(await upload({}, { file: null }))).toEqual([400, 'DOWNLOAD_FILE_REQUIRED'])
    expect(codeOf(await upload({ noSuchField: 'x' }))).toEqual([400, 'FIELD_UNKNOWN'])
    expect(codeOf(await upload({ appId: shop.owner.appId }))).toEqual([400, 'FIELD_UNKNOWN'])
    for (const name of [' ', 'x'.repeat(101), '..', 'a\u202Eb']) expect((await upload({ name })).status).toBe(400)
    expect(codeOf(await upload({ description: 'x'.repeat(501) }))).toEqual([400, 'DOWNLOAD_DESCRIPTION_TOO_LONG'])
    expect((await upload({ authenticated: 'maybe' })).status).toBe(400)
    for (const body of ['{}', '{"file":"x"}']) {
      expect((await shop.seller.send('POST', '/downloads/upload', { body })).status).toBeGreaterThanOrEqual(400)
    }
    expect(await databaseDigest(app.db, ['deleted_files'])).toBe(before)
    expect(await list()).toEqual([])
  })

  test('without its scope is rejected before its bytes are read', async () => {
    const reader = await newSeller(app, shop.owner, { permissions: ['downloads:read', 'downloads:delete'] })
    const { status, body } = await upload({}, { seller: reader, file: new File([randomBytes(mb)], 'big.exe') })
    expect([status, body.code]).toEqual([403, 'SCOPE_MISSING'])
    expect(await list()).toEqual([])
  })

  test("that exceeds the plan, or that the plan doesn't include, is rejected and leaves nothing", async () => {
    await setPlan(app, shop.owner.id, 'Free')
    const large = new File([randomBytes(2 * mb + 1)], 'large.exe')
    expect(codeOf(await upload({}, { file: large }))).toEqual([403, 'STORAGE_LIMIT_REACHED'])
    await app.db.write((tx) =>
      tx.db.updateTable('plans').set({ features: '["custom_variables"]' }).where('name', '=', 'Free').execute(),
    )
    expect(codeOf(await upload())).toEqual([403, 'PLAN_FEATURE_MISSING'])
    expect(await list()).toEqual([])
    expect(
      await app.db.read.selectFrom('downloads').select('id').where('app_id', '=', shop.owner.appId).execute(),
    ).toEqual([])
    await app.db.write((tx) =>
      tx.db
        .updateTable('plans')
        .set({ features: '["custom_variables","file_upload","bulk_operations"]' })
        .where('name', '=', 'Free')
        .execute(),
    )
  })

  test('is stored with its SHA-256 and delivered, and a second one of the name is rejected', async () => {
    const bytes = randomBytes(300_000)
    const { status, body } = await upload(
      { name: 'Setup', description: ' New ' },
      { file: new File([bytes], 'setup 2.exe') },
    )
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 200,
      code: 'DOWNLOAD_UPLOAD_OK',
      message: 'File uploaded successfully',
    })
    expect(body.download).toMatchObject({
      name: 'Setup',
      description: 'New',
      fileName: 'setup 2.exe',
      fileSize: 300_000,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      active: true,
      completed: true,
      authenticated: false,
    })
    const delivered = Buffer.from(await (await fetched(body.download.downloadId)).arrayBuffer())
    expect(delivered.equals(bytes)).toBe(true)
    expect(codeOf(await upload({ name: 'Setup' }))).toEqual([409, 'DOWNLOAD_NAME_TAKEN'])
    expect(await list()).toEqual([{ ...body.download, downloadCount: 1 }])
    const row = await app.db.read
      .selectFrom('audit')
      .selectAll()
      .where('app_id', '=', shop.owner.appId)
      .where('act', '=', 'download.upload')
      .executeTakeFirst()
    expect(row).toMatchObject({ actor_type: 'seller-key', actor_id: shop.seller.key.slice(8, 16), target: 'Setup' })
  })

  test('of unknown length is stored as it arrives, and counts against the plan', async () => {
    const send = (size: number, name: string) => {
      const head = `--cut\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
      const chunks = [Buffer.from(head), randomBytes(size), Buffer.from('\r\n--cut--\r\n')]
      return fetch(`${app.url}/api/1.0/seller/downloads/upload`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${shop.seller.key}`,
          'content-type': 'multipart/form-data; boundary=cut',
        },
        body: new ReadableStream({
          pull: (controller) => {
            const chunk = chunks.shift()
            if (chunk) controller.enqueue(chunk)
            else controller.close()
          },
        }),
        duplex: 'half',
      } as RequestInit)
    }
    expect((await send(200_000, 'streamed.bin')).status).toBe(200)
    await setPlan(app, shop.owner.id, 'Free')
    expect((await send(1_900_000, 'too much.bin')).status).toBe(403)
    expect((await list()).map(({ name }) => name)).toEqual(['streamed.bin'])
  })

  test('with complete=false is not available until it is completed', async () => {
    const { download: file } = (await upload({ complete: 'false' })).body
    expect(file.completed).toBe(false)
    expect((await fetched(file.downloadId)).status).toBe(404)
    await sold(shop.seller, 'PUT', `/downloads/file/${file.downloadId}`, { complete: true })
    expect((await fetched(file.downloadId)).status).toBe(200)
  })
})

describe('a file', () => {
  test("of another shop looks like a missing one, and isn't changed", async () => {
    const { download: file } = (await upload()).body
    await shop.other.send('GET', '/stats')
    const before = await databaseDigest(app.db)
    for (const name of [file.downloadId, file.name]) {
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PUT', '', { name: 'stolen' }],
        ['POST', '/disable', {}],
        ['POST', '/enable', {}],
        ['DELETE', '', undefined],
      ] as const) {
        const answer = await shop.other.send(method, `/downloads/file/${name}${path}`, { body })
        expect(codeOf(answer)).toEqual([404, 'DOWNLOAD_NOT_FOUND'])
      }
    }
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test('rejects what is no change, and changes nothing', async () => {
    await upload({ name: 'x' })
    await upload({ name: 'taken' })
    const hostile = {
      name: [...notTexts, '', ' ', 'x'.repeat(101), '..'],
      description: [...notTexts, 'x'.repeat(501)],
      authenticated: notFlags,
      complete: [false, 'true', 1, null],
      active: [true],
    }
    await expectSaleRejected(app, shop.seller, 'PUT /downloads/file/x', hostileBodies({ name: 'y' }, hostile))
    expectRejected(await shop.seller.send('PUT', '/downloads/file/x', { body: { name: 'taken' } }), 'taken', 409)
    const before = { name: 'seen otherwise' }
    const conflict = await shop.seller.send('PUT', '/downloads/file/x', { body: { name: 'y', before } })
    expect(codeOf(conflict)).toEqual([409, 'FIELD_CHANGED'])
  })

  test('is changed, disabled, enabled, and deleted; repeating enable and disable changes nothing', async () => {
    const { download: file } = (await upload({ name: 'x' })).body
    expect(
      await sold(shop.seller, 'PUT', '/downloads/file/x', { description: 'after', authenticated: true }),
    ).toMatchObject({
      code: 'DOWNLOAD_UPDATE_OK',
      download: { name: 'x', description: 'after', authenticated: true },
    })
    await sold(shop.seller, 'PUT', '/downloads/file/x', { authenticated: false })
    for (let time = 0; time < 2; time++) {
      expect(await sold(shop.seller, 'POST', '/downloads/file/x/disable', {})).toMatchObject({
        code: 'DOWNLOAD_DISABLE_OK',
        message: 'Download disabled successfully',
        download: { active: false },
      })
    }
    expect((await fetched(file.downloadId)).status).toBe(404)
    for (let time = 0; time < 2; time++) {
      expect(await sold(shop.seller, 'POST', '/downloads/file/x/enable', {})).toMatchObject({
        code: 'DOWNLOAD_ENABLE_OK',
        download: { active: true },
      })
    }
    expect((await fetched(file.downloadId)).status).toBe(200)
    expect(await sold(shop.seller, 'GET', `/downloads/file/${file.downloadId}`)).toMatchObject({
      download: { name: 'x' },
    })
    expect(await sold(shop.seller, 'DELETE', '/downloads/file/x')).toMatchObject({ code: 'DOWNLOAD_DELETE_OK' })
    expect((await fetched(file.downloadId)).status).toBe(404)
    expect(await list()).toEqual([])
  })

  test('is changed once by a call that is repeated with its Idempotency-Key', async () => {
    await upload({ name: 'x' })
    const send = (name: string) =>
      shop.seller.send('PUT', '/downloads/file/x', { body: { name }, headers: { 'idempotency-key': 'rename' } })
    const first = await send('y')
    // Without the key there would be no file of this name any more.
    expect((await send('y')).body).toEqual(first.body)
    expect(codeOf(await send('z'))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  })
})
