import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userHashing } from '#server/passwords/hashing-use.ts'
import { fillPasswordQueue } from '#testing/faults/full-password-queue.ts'
import { newUser } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSeller, type Seller } from '#testing/people/sellers.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'

const password = 'longenough'

let app: TestApp
let owner: OwnedApp
let seller: Seller
beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  seller = await newSeller(app, owner)
})
afterAll(() => app.close())

describe.skipIf(hasTwoProcesses)("while the owner's share of the password queue is full", () => {
  test('forms that are rejected anyway say why, and cost no hash', async () => {
    const taken = await newUser(owner)
    const empty = await fillPasswordQueue(app.services.passwords, userHashing(owner.id))
    const creates = (username: string) => [
      owner.visitor.call('POST /create_user', { body: { username, password } }),
      seller.send('POST', '/users', { body: { username, password } }),
    ]
    const edits = (username: string) => [
      owner.visitor.call('POST /edit_user', { body: { username, password } }),
      seller.send('PUT', `/users/${username}`, { body: { password } }),
    ]
    const codesOf = async (answers: Promise<{ body: object }>[]) =>
      (await Promise.all(answers)).map(({ body }) => (body as { code?: string }).code)
    expect(await codesOf(creates(taken.toUpperCase()))).toEqual(['USERNAME_TAKEN', 'USERNAME_TAKEN'])
    expect(await codesOf(edits('nobody'))).toEqual(['USER_NOT_FOUND', 'USER_NOT_FOUND'])
    expect(await codesOf([...creates('somebody new'), ...edits(taken)])).toEqual(Array(4).fill('SERVER_BUSY'))
    await empty()
    expect((await edits(taken)[0])?.body).toMatchObject({ success: true })
  })
})
