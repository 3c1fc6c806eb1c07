import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAdmin, newOwnerWithApp } from '#testing/people/people.ts'
import { setAccountBanned } from '#testing/platform.ts'
import { newReseller, newSellingReseller } from '#testing/people/resellers.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { runTool } from '#testing/run-tool.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { createResetLinkOf } from './reset-password.ts'

/** `npm run reset-password`: the way back in for an administrator alone on a server without mail (R-AUTH-10). */

const publicUrl = 'https://keys.example.com'
const newPassword = 'Battery7Staple'
let app: TestApp
let url: string | undefined

beforeAll(async () => {
  url = testEngine === 'postgres' ? await freshPostgresUrl() : undefined
  app = await startTestApp(url ? { postgres: { url } } : {})
})
afterAll(() => app.close())

const tokenOf = (text: string) => /^https:\/\/keys\.example\.com\/reset-password#([\w-]{43})$/m.exec(text)?.[1] ?? ''
const reset = (token: string) => app.visitor().call('POST /reset-password', { body: { token, newPassword } })
const signIn = (username: string) => app.visitor().call('POST /login', { body: { username, password: newPassword } })
const made = (ownerId: string) =>
  app.db.read
    .selectFrom('audit')
    .select(['act', 'target', 'actor_type', 'details'])
    .where('owner_id', '=', ownerId)
    .where('act', 'like', '%create-reset-link')
    .execute()

test('prints a link that works once, next to a running server, stores only its hash, and adds an audit event', async () => {
  const admin = await newAdmin(app)
  const environment = { DATA_DIR: app.services.config.dataDir, DATABASE_URL: url, PUBLIC_URL: publicUrl }
  const { code, output } = await runTool('reset-password', [admin.username.toUpperCase()], { environment })
  expect([code, output]).toEqual([
    0,
    expect.stringContaining(`Password reset link for ${admin.username}, valid once until `),
  ])
  const token = tokenOf(output)
  for (const table of ['password_resets', 'audit'] as const)
    expect(JSON.stringify(await app.db.read.selectFrom(table).selectAll().execute())).not.toContain(token)
  expect(await made(admin.id)).toEqual([
    { act: 'account.create-reset-link', target: admin.username, actor_type: 'system', details: '{}' },
  ])
  expect((await reset(token)).status).toBe(200)
  expect((await reset(token)).body.code).toBe('RESET_LINK_INVALID')
  expect((await admin.visitor.call('GET /apps')).status).toBe(401)
  expect((await signIn(admin.username)).status).toBe(200)
})

const create = (name: string) => createResetLinkOf(app.db, { name, publicUrl, now: app.now() })

test('finds resellers too, also by address; a new link replaces the previous one', async () => {
  const reseller = await newSellingReseller(app)
  const first = tokenOf((await create(reseller.username)).resetLink)
  const { resetLink, username } = await create(`${reseller.username}@example.com`)
  expect(username).toBe(reseller.username)
  expect((await reset(first)).body.code).toBe('RESET_LINK_INVALID')
  expect((await reset(tokenOf(resetLink))).status).toBe(200)
  expect((await signIn(reseller.username)).body.userType).toBe('reseller')
  expect(await made(reseller.owner.id)).toHaveLength(2)
})

test("creates none for a missing account or one that can't sign in", async () => {
  await expect(create('nobody_at_all')).rejects.toThrow('No account has the username or email address nobody_at_all')
  const owner = await newOwnerWithApp(app)
  const invited = await newReseller(app, owner)
  await expect(create(invited.username)).rejects.toThrow(
    `${invited.username} can't sign in: the account is banned or not set up yet`,
  )
  await setAccountBanned(app, owner.id, true)
  await expect(create(owner.username)).rejects.toThrow(
    `${owner.username} can't sign in: the account is banned or not set up yet`,
  )
  expect(await made(owner.id)).toEqual([])
})
