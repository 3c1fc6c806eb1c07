import { describe, expect, test } from 'vitest'
import { day, timeLeft, userPassword } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'

// What else is undone: users.undo.test.ts and user-changes.test.ts.

const given = setUpProgram()
let made = 0

interface Customer {
  name: string
  /** Of 30 days each, in the order of their redemption. */
  first: string
  second: string
}

/** A user who has redeemed two licenses. */
async function newCustomer(): Promise<Customer> {
  const [first = '', second = ''] = await newLicenses(given.owner, 2)
  const name = `customer-${++made}`
  const program = await Program.of(given.app, given.owner)
  await program.init()
  await program.register(name, userPassword, first)
  await redeem(name, second)
  return { name, first, second }
}

async function redeem(name: string, licenseKey: string): Promise<Record<string, unknown>> {
  const program = await Program.of(given.app, given.owner)
  await program.init()
  return (await program.send('login', { username: name, password: userPassword, hwid: program.hwid, licenseKey })).body
}

const daysLeft = async (name: string, level = 1): Promise<number | null | undefined> => {
  const left = await timeLeft(given.owner, name, level)
  return typeof left === 'number' ? Math.round(left / day) : left
}
/** A call of the owner; returns the reply. */
const call = async (name: string, body: object) =>
  (await given.asOwner(name, body)).body as { success: boolean; code?: string; undoId?: string }
const toggleBan = (licenseKey: string) => call('toggle_ban_license', { licenseKey })
const remove = async (licenseKey: string): Promise<string> =>
  String((await call('delete_license', { licenseKey })).undoId)
const restore = (undoId: string) => given.owner.visitor.call('POST /bin/restore', { body: { undoId } })

describe('a removed subscription', () => {
  const removal = async (username: string): Promise<string> => {
    const params = { username, id: 1 }
    const { body } = await given.owner.visitor.call('DELETE /user/{username}/subscriptions/{id}', { params })
    return String(body.undoId)
  }
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

  test('stays removed when all of its licenses are deleted by then', async () => {
    const { name, first, second } = await newCustomer()
    const undoId = await removal(name)
    for (const key of [first, second]) await remove(key)
    expect((await undoRemoval(undoId)).body).toMatchObject({ restored: 0, failed: 1 })
    expect(await daysLeft(name)).toBeUndefined()
  })
})
