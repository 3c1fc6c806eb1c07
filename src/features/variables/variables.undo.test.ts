import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { newUser, userOf } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSeller, type Seller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  seller = await newSeller(app, owner)
})
afterAll(() => app.close())

let counter = 0
const save = async (variableName: string, variableData: string, authenticated?: boolean) =>
  (
    await owner.visitor.call('POST /modify_app_var', {
      body: { variableName, variableData, ...(authenticated !== undefined && { authenticated }) },
    })
  ).body.undoId
async function newVariable(data: string) {
  const name = `v${++counter}`
  expect(await save(name, data)).toBeNull()
  return name
}
const read = async (name: string) =>
  (await owner.visitor.call('POST /getAllAppVar', { query: { search: name }, body: {} })).body.vars.find(
    ({ variableName }) => variableName === name,
  )
const undo = async (undoId: string | null, by = owner) =>
  (await by.visitor.call('POST /variables/undo', { body: { undoId: undoId ?? '' } })).body
const entriesOf = async (act: string) => (await owner.visitor.call('GET /audit', { query: { act } })).body.entries

describe('a changed variable', () => {
  test('has its data, access, and time again, once, whoever of two calls is first, and the audit says so', async () => {
    const long = 'ä🎉"\\'.repeat(1500)
    const name = await newVariable(long)
    const before = await read(name)
    app.advance(60)
    const undoId = await save(name, 'overwritten by mistake', false)
    const listed = async () => (await entriesOf('variable.update')).find(({ target }) => target === name)
    expect(await listed()).toMatchObject({ undo: { kind: 'variables', id: undoId }, undone: false })
    const answers = await Promise.all([undo(undoId), undo(undoId)])
    expect(answers.map(({ restored }) => restored).toSorted()).toEqual([0, 1])
    expect(await read(name)).toEqual(before)
    expect(await listed()).toMatchObject({ undo: null, undone: true })
    expect(await undo(undoId)).toMatchObject({ restored: 0, failed: 0 })
  })

  test('is in no entry of the audit with its data, unless programs get it before sign-in', async () => {
    const name = await newVariable('sk_live_secret_before')
    await undo(await save(name, 'sk_live_secret_after'))
    const entries = (await owner.visitor.call('GET /audit', { query: { limit: 100 } })).body.entries
    expect(JSON.stringify(entries)).not.toContain('sk_live_secret')
  })

  test('stays when it was changed, saved again, or deleted since', async () => {
    const [changed, saved, deleted, made] = [
      await newVariable('1'),
      await newVariable('1'),
      await newVariable('1'),
      await newVariable('1'),
    ]
    const names = [changed, saved, deleted, made]
    const undoIds = []
    for (const name of names) undoIds.push(await save(name, '2'))
    app.advance(1)
    await save(changed, '3')
    await save(saved, '3')
    await save(saved, '2')
    for (const variableName of [deleted, made])
      await owner.visitor.call('POST /modify_app_var', { body: { variableName, deleteVariable: true } })
    await save(made, '2')
    for (const undoId of undoIds) expect(await undo(undoId)).toMatchObject({ restored: 0, failed: 1 })
    expect(await Promise.all(names.map(async (name) => (await read(name))?.variableData))).toEqual([
      '3',
      '2',
      undefined,
      '2',
    ])
  })

  test('offers no undo without a difference, none to another owner, none as one of users, and none later', async () => {
    const name = await newVariable('same')
    expect(await save(name, 'same')).toBeNull()
    const undoId = await save(name, 'other')
    const other = await newOwnerWithApp(app)
    const before = await databaseDigest(app.db)
    expect(await undo(undoId, other)).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    expect(await undo('nothing')).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    const ofUsers = await owner.visitor.call('POST /users/undo', { body: { undoId: undoId ?? '' } })
    expect(ofUsers.body.code).toBe('UNDO_NOT_FOUND')
    expect(await databaseDigest(app.db)).toBe(before)
    app.advance(1801)
    expect(await undo(undoId)).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    expect((await read(name))?.variableData).toBe('other')
  })

  test('with a seller key comes back from the audit', async () => {
    const name = await newVariable('mine')
    expect((await seller.send('PUT', `/variables/${name}`, { body: { data: 'by a shop' } })).status).toBe(200)
    const entry = (await entriesOf('variable.update')).find(({ target }) => target === name)
    expect(await undo(entry?.undo?.id ?? null)).toMatchObject({ restored: 1, failed: 0 })
    expect((await read(name))?.variableData).toBe('mine')
  })
})

describe('a changed variable of a user', () => {
  const change = async (username: string, variableData: string) =>
    (await owner.visitor.call('PUT /user_variables', { body: { username, variableName: 'coins', variableData } })).body
      .undoId
  const undoOfUser = async (undoId: string | null) =>
    (await owner.visitor.call('POST /users/undo', { body: { undoId: undoId ?? '' } })).body
  async function rich() {
    const username = await newUser(owner)
    await owner.visitor.call('POST /user_variables', { body: { username, variableName: 'coins', variableData: '10' } })
    return username
  }
  const coins = async (username: string) => (await userOf(owner, username))?.variables['coins']

  test('has its data again, once, also from the audit, which has no data', async () => {
    const username = await rich()
    expect(await change(username, '10')).toBeNull()
    const undoId = await change(username, '4711')
    const [entry] = await entriesOf('user.update-variable')
    expect(entry).toMatchObject({
      undo: { kind: 'users', id: undoId },
      details: { changes: { variableData: 'changed' } },
    })
    const answers = await Promise.all([undoOfUser(undoId), undoOfUser(undoId)])
    expect(answers.map(({ restored }) => restored).toSorted()).toEqual([0, 1])
    expect(await coins(username)).toBe('10')
  })

  test('stays when it was changed or deleted since, or its user was', async () => {
    const [changed, deleted, gone] = [await rich(), await rich(), await rich()]
    const undoIds = [await change(changed, '20'), await change(deleted, '20'), await change(gone, '20')]
    await change(changed, '30')
    await owner.visitor.call('DELETE /user_variables', {
      body: { username: deleted, variableName: 'coins' },
      query: {},
    })
    await owner.visitor.call('POST /delete_user', { body: { username: gone } })
    for (const undoId of undoIds) expect(await undoOfUser(undoId)).toMatchObject({ restored: 0, failed: 1 })
    expect([await coins(changed), await coins(deleted)]).toEqual(['30', undefined])
  })
})
