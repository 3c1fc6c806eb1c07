import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUser } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { addTimeToRows } from './license-time.actions.ts'
import { lockLicense, randomKeys, redeemLicense } from './licenses.actions.ts'
import { maskAlphabet } from './licenses.rules.ts'

const flags = fc.record({ lowercase: fc.boolean(), uppercase: fc.boolean() })
const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
})

test('every key follows its mask: # becomes a character of the alphabet, everything else stays', () => {
  fc.assert(
    fc.property(visible, flags, fc.integer({ min: 1, max: 5 }), (mask, chosen, amount) => {
      const alphabet = maskAlphabet(chosen)
      const keys = randomKeys(mask, alphabet, amount)
      expect(keys).toHaveLength(amount)
      for (const key of keys) {
        expect(key).toHaveLength(mask.length)
        for (const [at, character] of [...mask].entries()) {
          if (character === '#') expect(alphabet).toContain(key[at])
          else expect(key[at]).toBe(character)
        }
      }
    }),
  )
})

test('keys use the whole alphabet about evenly', () => {
  const alphabet = maskAlphabet({ lowercase: true, uppercase: true })
  const seen = new Map<string, number>()
  for (const key of randomKeys('#'.repeat(100), alphabet, 620)) {
    for (const character of key) seen.set(character, (seen.get(character) ?? 0) + 1)
  }
  // 1,000 of each are expected; six standard deviations are about 190.
  expect([...seen.keys()].toSorted()).toEqual([...alphabet].toSorted())
  expect(Math.min(...seen.values())).toBeGreaterThan(810)
  expect(Math.max(...seen.values())).toBeLessThan(1190)
})

describe('redeeming', () => {
  let app: TestApp
  let owner: OwnedApp

  beforeAll(async () => {
    app = await startTestApp()
    owner = await newOwnerWithApp(app)
  })
  afterAll(() => app.close())

  async function redeemer(license: string) {
    const username = await newUser(owner)
    const user = await app.db.read.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst()
    const claim = { appId: owner.appId, license, usedBy: username, userId: user?.id ?? 0, now: app.now() }
    return () => app.db.write((tx) => redeemLicense(tx, claim))
  }

  test("a single conditional update rejects a used, a banned, and another app's license (R-LIC-01)", async () => {
    const [once = '', banned = '', elsewhere = ''] = await newLicenses(owner, 3)
    const [first, second, third] = [await redeemer(once), await redeemer(once), await redeemer(banned)]
    expect(await first()).toMatchObject({ license: once, used: 1 })
    expect(await second()).toBeUndefined()
    expect(await first()).toBeUndefined()
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: banned } })
    expect(await third()).toBeUndefined()
    const other = await newOwnerWithApp(app)
    const claim = { appId: other.appId, license: elsewhere, usedBy: 'x', userId: 1, now: app.now() }
    expect(await app.db.write((tx) => redeemLicense(tx, claim))).toBeUndefined()
  })

  test('added time stops at the end of the year 9999, even if the license ends then already (R-LIC-06)', async () => {
    const [license = ''] = await newLicenses(owner, 1)
    await (
      await redeemer(license)
    )()
    const max = 253_402_300_799
    const ended = await app.db.write(async (tx) => {
      const row = await lockLicense(tx, owner.appId, license)
      await addTimeToRows(tx, { appId: owner.appId, now: app.now(), licenses: [row], seconds: max - 1000 })
      return lockLicense(tx, owner.appId, license)
    })
    expect(ended).toMatchObject({ expires_at: max, duration_seconds: max })
  })
})
