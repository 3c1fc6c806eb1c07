import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSubscriber, newUser, signedIn, userOf, userPassword } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { liftSellerLimits, newSeller, type Seller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { replacingCalls } from '../../../tools/seller-calls.ts'
import { pythonText } from './python-text.ts'
import { type SellerCall, sellerCallsFor } from './seller-call.ts'
import { FromEnvironment } from './value-text.ts'

/** Each call of a seller key that "Show as API call" shows is run as shown, on a server. */

const run = promisify(execFile)
const python = process.env['SIGNET_PYTHON'] ?? 'python3'

let app: TestApp
let owner: OwnedApp
let seller: Seller
let table: readonly SellerCall[]
let directory: string

beforeAll(async () => {
  app = await startTestApp()
  await liftSellerLimits(app)
  owner = await newOwnerWithApp(app)
  seller = await newSeller(app, owner)
  table = (await replacingCalls()) as readonly SellerCall[]
  directory = mkdtempSync(join(tmpdir(), 'signet-shown-'))
})
afterAll(async () => {
  rmSync(directory, { recursive: true })
  await app.close()
})

interface Step {
  key: string
  params?: Record<string, unknown>
  body?: object
}

/** The Python of all calls that replace the dashboard call; what it replaces is added to `shown`. */
function shownFor({ key, params, body = {} }: Step, shown: Set<SellerCall>): string[] {
  const [method = '', path = ''] = key.split(' ')
  const url = `${app.url}/api/1.0/website${path}`
  const input = { ...(params && { params }), body }
  const dashboard = { method, url, idempotent: true, body, dashboard: { key, input } }
  const used = table.find((each) => each.call === key && sellerCallsFor(dashboard, [each]))
  if (used) shown.add(used)
  return (sellerCallsFor(dashboard, table) ?? []).map(pythonText)
}

/** Runs all of it in one process; the replies in order. */
async function runPython(texts: readonly string[]): Promise<string[]> {
  const file = join(directory, 'Größe "1".txt')
  writeFileSync(file, 'bytes of the file\r\n')
  const env = {
    ...process.env,
    PYTHONIOENCODING: 'utf-8',
    SELLER_KEY: seller.key,
    SIGNET_USER_PASSWORD: userPassword,
    SIGNET_FILE: file,
  }
  const { stdout } = await run(python, ['-c', texts.join('\n')], { env })
  return stdout.trim().split(/\r?\n/)
}

async function uploaded(name: string): Promise<string> {
  const { body } = await owner.visitor.call('POST /downloads/upload', { body: { name }, file: new Blob(['bytes']) })
  return body.download.downloadId
}

async function sessionOf(username: string): Promise<string> {
  await signedIn(app, owner, username)
  const { body } = await owner.visitor.call('GET /sessions', { query: { search: username } })
  return body.sessions[0]?.session_id ?? ''
}

async function licenseSteps(): Promise<Step[]> {
  const [first = '', second = '', third = ''] = await newLicenses(owner, 3, { mask: 'a/?{x}%-########' })
  const both = { licenses: [first, second] }
  const created = { amount: 1, mask: 'SHOWN-########', lowercase: false, subscription: 1, notes: '"x" — ção' }
  return [
    { key: 'POST /create_licenses', body: { ...created, expiryUnit: 'days', duration: 3, appName: owner.appName } },
    { key: 'POST /update_license', body: { licenseKey: first, notes: 'shown', expiry: 86_400 } },
    { key: 'POST /toggle_ban_license', body: { licenseKey: first, banned: true } },
    { key: 'POST /toggle_ban_license', body: { licenseKey: first, banned: false } },
    { key: 'POST /licenses/bulk', body: { action: 'ban', ...both } },
    { key: 'POST /licenses/bulk', body: { action: 'unban', ...both } },
    { key: 'POST /licenses/bulk', body: { action: 'add-time', duration: 1, expiryUnit: 'days', ...both } },
    { key: 'POST /delete_license', body: { licenseKey: third, deleteUsers: false, refundCredits: true } },
    {
      key: 'POST /licenses/bulk',
      body: { action: 'delete', deleteUsers: false, refundCredits: true, licenses: [second] },
    },
  ]
}

async function userSteps(): Promise<Step[]> {
  const one = await newSubscriber(owner, { username: 'shown one/ç' })
  const two = await newSubscriber(owner, { username: 'shown-two' })
  const [three, four] = [await newUser(owner, 'shown-three'), await newUser(owner, 'shown-four')]
  const password = new FromEnvironment('SIGNET_USER_PASSWORD')
  const both = { usernames: [one, two] }
  const time = { subscription: 1, duration: 1, unit: 'days' }
  const variable = { username: one, variableName: 'a/b', variableData: '1' }
  return [
    { key: 'POST /create_user', body: { username: 'shown-new', password, email: 'new@example.com' } },
    { key: 'POST /edit_user', body: { username: one, password, email: 'one@example.com' } },
    { key: 'POST /toggle_ban_user', body: { username: one, banned: true } },
    { key: 'POST /toggle_ban_user', body: { username: one, banned: false } },
    { key: 'POST /toggle_pause_user', body: { username: one, paused: true } },
    { key: 'POST /toggle_pause_user', body: { username: one, paused: false } },
    { key: 'POST /reset_user_hwid', body: { username: one } },
    ...['ban', 'unban', 'pause', 'unpause', 'reset-hwid'].map((action) => ({
      key: 'POST /users/bulk',
      body: { action, ...both },
    })),
    { key: 'POST /users/bulk', body: { action: 'extend', ...time, ...both } },
    { key: 'POST /users/bulk', body: { action: 'subtract', ...time, ...both } },
    { key: 'POST /user/{username}/subscriptions', params: { username: three }, body: { level: 1, duration: 9 } },
    { key: 'POST /user_variables', body: variable },
    { key: 'PUT /user_variables', body: { ...variable, variableData: '2' } },
    { key: 'DELETE /user_variables', body: { username: one, variableName: 'a/b' } },
    { key: 'POST /delete_user', body: { username: three } },
    { key: 'POST /users/bulk', body: { action: 'delete', usernames: [four] } },
  ]
}

async function otherSteps(): Promise<Step[]> {
  const file = await uploaded('shown.bin')
  const [first, second] = [await newSubscriber(owner), await newSubscriber(owner)]
  const variable = { appName: owner.appName, variableName: 'ç/1', variableData: 'x', authenticated: true }
  return [
    { key: 'POST /modify_app_var', body: variable },
    { key: 'POST /modify_app_var', body: { ...variable, variableName: 'kept', variableData: '"y"' } },
    { key: 'POST /modify_app_var', body: { variableName: 'ç/1', deleteVariable: true } },
    { key: 'POST /modify_app_var', body: { ...variable, variableName: 'gone' } },
    { key: 'POST /variables/bulk-delete', body: { variableNames: ['gone'] } },
    { key: 'POST /create_subscription', body: { level: 7, name: 'Seven', active: true } },
    { key: 'POST /update_subscription', body: { level: 7, name: 'Seven again' } },
    { key: 'POST /toggle_subscription_status', body: { level: 7, active: false } },
    { key: 'POST /create_subscription', body: { level: 8, name: 'Eight', active: true } },
    { key: 'POST /delete_subscription', body: { level: 8, forceDelete: true } },
    { key: 'POST /create_subscription', body: { level: 9, name: 'Nine', active: true } },
    { key: 'POST /subscriptions/bulk-delete', body: { levels: [9] } },
    { key: 'POST /update_app', body: { appId: owner.appId, settings: { hwidLock: false } } },
    { key: 'POST /delete_session', body: { sessionId: await sessionOf(first) } },
    { key: 'POST /sessions/bulk-delete', body: { sessionIds: [await sessionOf(second)] } },
    { key: 'PUT /downloads/file/{name}', params: { name: file }, body: { name: 'again.bin', authenticated: true } },
    { key: 'POST /downloads/file/{name}/toggle', params: { name: file }, body: { active: false } },
    { key: 'POST /downloads/file/{name}/toggle', params: { name: file }, body: { active: true } },
    { key: 'DELETE /downloads/file/{name}', params: { name: file } },
  ]
}

test('each call of a seller key runs as shown, with the effect of the dashboard', async () => {
  const steps = [...(await licenseSteps()), ...(await userSteps()), ...(await otherSteps())]
  const shown = new Set<SellerCall>()
  const texts = steps.map((step) => shownFor(step, shown))
  expect(steps.filter((_, index) => texts[index]?.length === 0)).toEqual([])
  const upload = 'POST /downloads/upload'
  expect(table.filter((each) => !shown.has(each) && each.call !== upload)).toEqual([])
  const replies = await runPython(texts.flat())
  expect(replies).toHaveLength(texts.flat().length)
  expect(replies.filter((each) => !each.includes("'success': True"))).toEqual([])

  const { visitor } = owner
  const { licenses } = (await visitor.call('GET /licenses')).body
  expect(licenses.map(({ notes, expiry }) => [notes, expiry]).toSorted()).toEqual([
    ['"x" — ção', 3 * 86_400],
    ['shown', 2 * 86_400],
  ])
  const { users } = (await visitor.call('GET /users', { query: { search: 'shown' } })).body
  expect(users.map(({ username }) => username).toSorted()).toEqual(['shown one/ç', 'shown-new', 'shown-two'])
  expect(await userOf(owner, 'shown one/ç')).toMatchObject({ email: 'one@example.com', banned: false, paused: false })
  await signedIn(app, owner, 'shown one/ç')
  const { subscriptions } = (await visitor.call('GET /subscriptions')).body
  expect(subscriptions.find(({ level }) => level === 7)).toMatchObject({ name: 'Seven again', active: false })
  expect(subscriptions.map(({ level }) => level)).not.toEqual(expect.arrayContaining([8, 9]))
})

test('the upload sends the file under its name', async () => {
  const body = { description: 'a "b" — ç', authenticated: true }
  const dashboard = { key: 'POST /downloads/upload', input: { body } }
  const call = { method: 'POST', url: `${app.url}/`, idempotent: false, body, upload: true, dashboard }
  const [text = ''] = (sellerCallsFor(call, table) ?? []).map(pythonText)
  expect(await runPython([text])).toEqual([expect.stringContaining("'success': True")])
  const { downloads } = (await owner.visitor.call('GET /downloads')).body
  expect(downloads.map(({ name, description, authenticated }) => [name, description, authenticated])).toEqual([
    ['Größe "1".txt', 'a "b" — ç', true],
  ])
})
