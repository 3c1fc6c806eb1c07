import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAdmin, newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await newOwnerWithApp(app)
  // More rows than one batch.
  for (let n = 0; n < 205; n++) await newLicenses(owner, 1)
})
afterAll(() => app.close())

test('the whole audit of an owner, oldest first, as CSV', async () => {
  const { body } = await owner.visitor.call('GET /export_audit')
  const lines = body.content.trim().split('\n')
  expect(lines[0]).toContain('Date,Act,Actor type,Actor,Owner,App,Target,Details,IP')
  expect(lines).toHaveLength(1 + 208)
  expect(lines[1]).toContain('account.register')
  expect(lines.slice(1).every((line) => line.includes(owner.username))).toBe(true)
  expect(body.filename).toMatch(/^audit-.*\.csv$/)
})

test('the rows that a filter matches, as JSON', async () => {
  const { body } = await owner.visitor.call('GET /export_audit', { query: { format: 'json', act: 'license' } })
  const rows = JSON.parse(body.content) as { act: string; target: string }[]
  expect(rows).toHaveLength(205)
  expect(new Set(rows.map(({ act }) => act))).toEqual(new Set(['license.create']))
  expect(new Set(rows.map(({ target }) => target)).size).toBe(205)
  const none = await owner.visitor.call('GET /export_audit', { query: { format: 'json', search: 'nothing' } })
  expect(JSON.parse(none.body.content)).toEqual([])
})

test('chosen columns, in the order of the file', async () => {
  const query = { act: 'account', columns: 'actor,act' as 'actor' }
  const csv = (await owner.visitor.call('GET /export_audit', { query })).body.content.split('\r\n')
  expect(csv).toEqual(['Act,Actor', `account.register,${owner.username}`, ''])
  const json = (await owner.visitor.call('GET /export_audit', { query: { ...query, format: 'json' } })).body.content
  expect(JSON.parse(json)).toEqual([
    { act: 'account.register', actor: { type: 'owner', id: expect.any(String), name: owner.username, isYou: true } },
  ])
})

test('the whole platform, for administrators', async () => {
  const admin = await newAdmin(app)
  const { body } = await admin.visitor.call('GET /admin/export_audit', { query: { format: 'json', act: 'app.create' } })
  expect(JSON.parse(body.content)).toHaveLength(2)
})
