import { describe, expect, test } from 'vitest'
import { day, passTime } from '#testing/people/end-users.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'
import { customersOf } from '#testing/people/two-licenses.ts'

// The first of two licenses of 30 days was used up 10 days before its user was granted time again.

const given = setUpProgram()
const { newCustomer, call, daysLeft, toggleBan, remove, restore } = customersOf(given)

const addTime = (key: string) => call('add_time_licenses', { licenses: [key], expiryUnit: 'days', duration: 20 })
const setDuration = (licenseKey: string, days: number) => call('update_license', { licenseKey, expiry: days * day })

describe('a license that was used up before another one was redeemed', () => {
  test.each([
    ['time', addTime, 50],
    ['a longer duration', (key: string) => setDuration(key, 45), 45],
    ['no end', (key: string) => setDuration(key, 0), null],
    ['a shorter duration, which takes nothing', (key: string) => setDuration(key, 1), 30],
  ])('gives its user %s, and an undo takes it back', async (_what, change, days) => {
    const { name, first } = await newCustomer(40)
    const { undoId } = await change(first)
    expect(await daysLeft(name)).toBe(days)
    const { body } = await given.owner.visitor.call('POST /licenses/undo', { body: { undoId: String(undoId) } })
    expect(body).toMatchObject({ restored: 1, failed: 0 })
    expect(await daysLeft(name)).toBe(30)
  })

  test('gives it once its ban is lifted, and while the other one is banned', async () => {
    const { name, first, second } = await newCustomer(40)
    await toggleBan(first)
    await addTime(first)
    expect(await daysLeft(name)).toBe(30)
    await toggleBan(first)
    expect(await daysLeft(name)).toBe(50)
    await toggleBan(second)
    expect(await daysLeft(name)).toBe(20)
  })

  test('gives nothing of another license that was banned before', async () => {
    const { name, first, second } = await newCustomer(40)
    await toggleBan(second)
    await addTime(first)
    expect(await daysLeft(name)).toBe(20)
    await toggleBan(second)
    expect(await daysLeft(name)).toBe(50)
  })

  test('takes what it gave with it when it is deleted, and brings it back', async () => {
    const { name, first } = await newCustomer(40)
    await addTime(first)
    const deletion = await remove(first)
    expect(await daysLeft(name)).toBe(30)
    await restore(deletion)
    expect(await daysLeft(name)).toBe(50)
  })

  test.each([
    ['time', addTime, 50],
    ['no end', (key: string) => setDuration(key, 0), null],
  ])('gives %s to its user in the bin, too', async (_what, change, days) => {
    const { name, first } = await newCustomer(40)
    const { undoId: deletion } = await call('delete_user', { username: name })
    const { undoId } = await change(first)
    await restore(String(deletion))
    expect(await daysLeft(name)).toBe(days)
    const { undoId: again } = await call('delete_user', { username: name })
    await given.owner.visitor.call('POST /licenses/undo', { body: { undoId: String(undoId) } })
    await restore(String(again))
    expect(await daysLeft(name)).toBe(30)
  })
})

test('a license that was used up before its user was given time by hand gives time, but not to another level', async () => {
  await given.owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
  const { name, first, second } = await newCustomer()
  await passTime(given.app, given.owner, 70 * day)
  const grant = (level: number) =>
    given.owner.visitor.call('POST /user/{username}/subscriptions', {
      params: { username: name },
      body: { level, duration: 7 },
    })
  expect((await grant(1)).status).toBe(200)
  expect((await grant(2)).status).toBe(200)
  await addTime(first)
  await addTime(second)
  expect([await daysLeft(name, 1), await daysLeft(name, 2)]).toEqual([47, 7])
  await given.owner.visitor.call('DELETE /user/{username}/subscriptions/{id}', { params: { username: name, id: 1 } })
  await addTime(first)
  expect([await daysLeft(name, 1), await daysLeft(name, 2)]).toEqual([undefined, 7])
})
