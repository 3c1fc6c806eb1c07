import { afterAll, beforeAll, expect, test } from 'vitest'
import { latestEntry, undoEntry } from '#testing/people/audit-entries.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSeller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** An owner with a key that is referred to by its ID, whatever its secret is. */
async function ownerWithKey() {
  const owner = await newOwnerWithApp(app)
  const { visitor } = owner
  const { key } = await newSeller(app, owner)
  const sellerKey = key.slice('lk_live_'.length, 16)
  const set = (status: 'active' | 'paused') =>
    visitor.call('POST /toggle_seller_key_status', { body: { sellerKey, status } })
  const rotate = () => visitor.call('POST /rotate_seller_key', { body: { sellerKey, overlapHours: 0 } })
  return { owner, sellerKey, set, rotate }
}

const codeOf = async (owner: OwnedApp, id: number) => (await undoEntry(owner, id)).body.code

test('the pause of a seller key is taken back once, also if the key was rotated since', async () => {
  const { owner, set, rotate } = await ownerWithKey()
  await set('paused')
  const first = await latestEntry(owner, 'seller-key.pause')
  await rotate()
  await set('active')
  await rotate()
  await set('paused')
  expect([await codeOf(owner, first.id), await codeOf(owner, first.id)]).toEqual(['ALREADY_UNDONE', 'ALREADY_UNDONE'])
  const second = await latestEntry(owner, 'seller-key.pause')
  await rotate()
  expect([await codeOf(owner, second.id), await codeOf(owner, second.id)]).toEqual(['AUDIT_UNDO_OK', 'ALREADY_UNDONE'])
})

test('the pause of a seller key is not taken back after one of it among many, under its new name', async () => {
  const { owner, sellerKey, set, rotate } = await ownerWithKey()
  const other = (await newSeller(app, owner)).key
  await set('paused')
  const { id } = await latestEntry(owner, 'seller-key.pause')
  await rotate()
  for (const action of ['activate', 'pause'] as const)
    await owner.visitor.call('POST /seller_keys/bulk', { body: { action, sellerKeys: [sellerKey, other] } })
  expect(await codeOf(owner, id)).toBe('UNDO_NOT_FOUND')
})

test('the pause of a seller key is taken back whatever happens to another one', async () => {
  const { owner, set } = await ownerWithKey()
  await set('paused')
  const { id } = await latestEntry(owner, 'seller-key.pause')
  const body = { sellerKey: (await newSeller(app, owner)).key, status: 'paused' } as const
  await owner.visitor.call('POST /toggle_seller_key_status', { body })
  expect(await codeOf(owner, id)).toBe('AUDIT_UNDO_OK')
})

test('the deactivation of a file is not offered once the file has another name, nor for a later file of its name', async () => {
  const owner = await newOwnerWithApp(app)
  const { visitor } = owner
  const upload = (name: string) => visitor.call('POST /downloads/upload', { body: { name }, file: new Blob(['bytes']) })
  await upload('a.exe')
  await visitor.call('POST /downloads/file/{name}/toggle', { params: { name: 'a.exe' }, body: { active: false } })
  const { id, undo } = await latestEntry(owner, 'download.disable')
  expect(undo).toMatchObject({ kind: 'entry' })
  await visitor.call('PUT /downloads/file/{name}', { params: { name: 'a.exe' }, body: { name: 'b.exe' } })
  for (const isTaken of [false, true]) {
    if (isTaken) await upload('a.exe')
    expect(await latestEntry(owner, 'download.disable')).toMatchObject({ undo: null, undone: false })
    expect(await codeOf(owner, id)).toBe('UNDO_NOT_FOUND')
  }
})
