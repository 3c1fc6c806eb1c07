import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { findReset, issueReset, type ResetSubject, takeReset } from './reset-tokens.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const kinds = ['account', 'reseller', 'user'] as const

test.each(kinds)(
  'a token of kind %s is not valid for another kind, even with the same ID (R-AUTH-10)',
  async (kind) => {
    const subject: ResetSubject = { kind, id: 'the-same' }
    const now = app.now()
    const token = (await app.db.write((tx) => issueReset(tx, subject, now))) ?? ''
    for (const other of kinds.filter((each) => each !== kind)) {
      expect(await findReset(app.db.read, token, { kinds: [other], now })).toBeUndefined()
      expect(await app.db.write((tx) => takeReset(tx, token, { ...subject, kind: other }, now))).toBe(false)
    }
    expect(await findReset(app.db.read, token, { kinds: [kind], now })).toEqual(subject)
    expect(await app.db.write((tx) => takeReset(tx, token, subject, now))).toBe(true)
    expect(await findReset(app.db.read, token, { kinds: [kind], now })).toBeUndefined()
  },
)
