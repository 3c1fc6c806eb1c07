import { describe, expect, test } from 'vitest'
import { setUpProgram } from '#testing/people/program-setup.ts'
import { customersOf } from '#testing/people/two-licenses.ts'

// What else is undone: users.undo.test.ts and user-changes.test.ts.

const given = setUpProgram()
const { newCustomer, daysLeft, toggleBan, remove, restore } = customersOf(given)

describe('a removed subscription', () => {
  const removal = async (username: string): Promise<string> => {
    const params = { username, id: 1 }
    const { body } = await given.owner.visitor.call('DELETE /user/{username}/subscriptions/{id}', { params })
    return String(body.undoId)
  }
  const addTime = (key: string) =>
    given.owner.visitor.call('POST /add_time_licenses', {
      body: { licenses: [key], expiryUnit: 'days', duration: 30 },
    })
  const update = (body: { licenseKey: string; expiry?: number; subscription?: number }) =>
    given.owner.visitor.call('POST /update_license', { body })
  const undoRemoval = (undoId: string) => given.owner.visitor.call('POST /users/undo', { body: { undoId } })

  test('comes back without the time of a license that is banned by then, until the ban is lifted', async () => {
    const { name, first } = await newCustomer()
    const undoId = await removal(name)
    await toggleBan(first)
    expect((await undoRemoval(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await daysLeft(name)).toBe(30)
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(60)
  })

  test('comes back with the time of a license whose ban is lifted by then', async () => {
    const { name, first } = await newCustomer()
    await toggleBan(first)
    const undoId = await removal(name)
    await toggleBan(first)
    expect((await undoRemoval(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await daysLeft(name)).toBe(60)
  })

  test('comes back without the time of a deleted license, which gives it when it comes back itself', async () => {
    const { name, first, second } = await newCustomer()
    for (const key of [first, second]) {
      const undoId = await removal(name)
      const deletion = await remove(key)
      expect((await undoRemoval(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
      expect(await daysLeft(name)).toBe(30)
      expect((await restore(deletion)).body).toMatchObject({ restored: 1, failed: 0 })
      expect(await daysLeft(name)).toBe(60)
    }
  })

  test('comes back whole when the deleted license came back before', async () => {
    const { name, first } = await newCustomer()
    const undoId = await removal(name)
    await restore(await remove(first))
    expect(await daysLeft(name)).toBeUndefined()
    expect((await undoRemoval(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await daysLeft(name)).toBe(60)
  })

  test.each([
    ['time', (key: string) => addTime(key)],
    ['another duration', (licenseKey: string) => update({ licenseKey, expiry: 0 })],
    ['another level', (licenseKey: string) => update({ licenseKey, subscription: 2 })],
  ])('stays removed when one of its licenses got %s since', async (_what, change) => {
    await given.owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
    const { name, first } = await newCustomer()
    const undoId = await removal(name)
    expect((await change(first)).status).toBe(200)
    expect((await undoRemoval(undoId)).body).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    expect(await daysLeft(name)).toBeUndefined()
  })

  test('comes back after another license got time', async () => {
    const { name } = await newCustomer()
    const { second: other } = await newCustomer()
    const undoId = await removal(name)
    await addTime(other)
    expect((await undoRemoval(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await daysLeft(name)).toBe(60)
  })

  test('stays removed when all of its licenses are deleted by then', async () => {
    const { name, first, second } = await newCustomer()
    const undoId = await removal(name)
    for (const key of [first, second]) await remove(key)
    expect((await undoRemoval(undoId)).body).toMatchObject({ restored: 0, failed: 1 })
    expect(await daysLeft(name)).toBeUndefined()
  })
})
