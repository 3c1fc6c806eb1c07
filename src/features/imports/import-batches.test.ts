import { hashSync } from 'bcryptjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallTypes } from '#contract/define-call.ts'
import { newSubscriber, newUser, passTime, timeLeft, userOf } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { levelNameOf } from '#features/levels/levels.rules.ts'
import type { importsContract } from './imports.contract.ts'

/** Batches of licenses and users: each in one transaction, once, and undone as far as nothing else touched the rows. */

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Start = NonNullable<CallTypes<typeof importsContract.startImport>['body']>
type Rows = Omit<NonNullable<CallTypes<typeof importsContract.importRows>['body']>, 'importId' | 'batch'>

const levels = [
  { label: '1', level: 1 },
  { label: 'default', level: 1 },
]

async function started(owner: OwnedApp, more: Partial<Start> = {}): Promise<string> {
  const file = { kind: 'licenses' as const, source: 'keyauth' as const, fileName: 'keys.json', fingerprint: 'ab' }
  const body = { ...file, rows: 100, levels, ...more }
  const { body: reply, status } = await owner.visitor.call('POST /imports/start', { body })
  expect(status, JSON.stringify(reply)).toBe(200)
  return reply.import.importId
}

const send = (owner: OwnedApp, importId: string, rows: Rows, batch = 1) =>
  owner.visitor.call('POST /imports/rows', { body: { importId, batch, ...rows } })

const license = (row: number, more: object = {}) => ({ row, key: `KEY-${row}`, level: '1', duration: '30', ...more })
const user = (row: number, more: object = {}) => ({ row, username: `user ${row}`, subscriptions: [], ...more })

const keysOf = async (owner: OwnedApp) =>
  (await owner.visitor.call('GET /licenses', { query: { sort: 'created', limit: 100 } })).body.licenses

const undo = (owner: OwnedApp, undoId: string) => owner.visitor.call('POST /imports/undo', { body: { undoId } })

describe('levels to create', () => {
  const gold = [{ label: 'gold', name: 'Gold' }]
  const goldOf = async (owner: OwnedApp) => {
    const { subscriptions } = (await owner.visitor.call('GET /subscriptions')).body
    return subscriptions.filter(({ name }) => name === 'Gold').length
  }

  test('a file that is started again gets the subscriptions that its first start has created', async () => {
    const owner = await newOwnerWithApp(app)
    await started(owner, { levels: gold })
    app.advance(30)
    const importId = await started(owner, { levels: gold, onConflict: 'overwrite' })
    await Promise.all([1, 2, 3].map(() => started(owner, { levels: gold, durationUnit: 'weeks' })))
    expect(await goldOf(owner)).toBe(1)
    const { body } = await send(owner, importId, { licenses: [license(1, { level: 'gold' })] })
    expect(body).toMatchObject({ created: 1 })
    expect((await keysOf(owner)).map(({ level }) => level)).toEqual([2])
  })

  test('starts of one file at once create one subscription', async () => {
    const owner = await newOwnerWithApp(app)
    await Promise.all([1, 2, 3, 4].map(() => started(owner, { levels: gold })))
    expect(await goldOf(owner)).toBe(1)
  })

  test('another file, another label, and a subscription that was there before get one of their own', async () => {
    const owner = await newOwnerWithApp(app)
    await owner.visitor.call('POST /create_subscription', { body: { name: 'Gold' } })
    app.advance(1)
    await started(owner, { levels: gold })
    await started(owner, { levels: gold, fingerprint: 'cd' })
    await started(owner, { levels: [{ label: 'GOLD', name: 'Gold' }] })
    expect(await goldOf(owner)).toBe(4)
  })
})

describe('licenses', () => {
  test('get the level, duration, notes, and state of their row', async () => {
    const owner = await newOwnerWithApp(app)
    const importId = await started(owner)
    const { body } = await send(owner, importId, {
      licenses: [
        license(1, { notes: 'from the shop' }),
        license(2, { duration: '0' }),
        license(3, { duration: '45 minutes', status: 'Banned' }),
      ],
    })
    expect(body).toMatchObject({ created: 3, skipped: 0, results: [], import: { doneRows: 3, nextBatch: 2 } })
    const made = await keysOf(owner)
    expect(made.map(({ license: key, expiry, notes, banned, level }) => [key, expiry, notes, banned, level])).toEqual([
      ['KEY-1', 30 * 86_400, 'from the shop', false, 1],
      ['KEY-2', 0, '', false, 1],
      ['KEY-3', 45 * 60, '', true, 1],
    ])
    const program = await Program.of(app, owner)
    await program.init()
    expect((await program.license('KEY-1')).body).toMatchObject({ success: true })
    expect((await program.license('KEY-3')).body).toMatchObject({ code: 'LICENSE_BANNED' })
  })

  test('a bad row is skipped with its reason, and the others are imported', async () => {
    const owner = await newOwnerWithApp(app)
    const importId = await started(owner)
    const bad: [object, string][] = [
      [{ duration: '-5' }, 'IMPORTED_DURATION_INVALID'],
      [{ duration: '1e9' }, 'IMPORTED_DURATION_INVALID'],
      [{ duration: '1000000000' }, 'DURATION_TOO_LONG'],
      [{ duration: '' }, 'IMPORTED_DURATION_INVALID'],
      [{ key: '' }, 'KEY_REQUIRED'],
      [{ key: 'a b' }, 'KEY_INVALID'],
      [{ key: 'k'.repeat(129) }, 'KEY_INVALID'],
      [{ key: 'clé' }, 'KEY_INVALID'],
      [{ key: 'half-\ud83d' }, 'KEY_INVALID'],
      [{ level: '9' }, 'LEVEL_UNASSIGNED'],
      [{ level: '__proto__' }, 'LEVEL_UNASSIGNED'],
      [{ status: 'used' }, 'ROW_REDEEMED'],
      [{ status: 'odd' }, 'STATUS_UNKNOWN'],
      [{ notes: 'a\u0007' }, 'NOTES_INVALID'],
      [{ key: 'KEY-99' }, 'ROW_DUPLICATE'],
      [{ key: 'key-99' }, 'ROW_DUPLICATE'],
    ]
    const rows = [license(99), ...bad.map(([more], at) => license(at, { row: at + 1, key: `BAD-${at}`, ...more }))]
    const { body } = await send(owner, importId, { licenses: rows })
    expect(body.results.map(({ row, code }) => [row, code])).toEqual(bad.map(([, code], at) => [at + 1, code]))
    expect(body).toMatchObject({ created: 1, skipped: bad.length })
    const report = await owner.visitor.call('GET /import_report', { query: { importId } })
    expect(report.body.content.split('\r\n')).toHaveLength(bad.length + 2)
    expect(report.body.content).toContain('10,BAD-9,skipped,,No subscription is assigned to the level “9”')
  })

  test('an existing key is skipped, or overwritten as long as nobody has redeemed it', async () => {
    const owner = await newOwnerWithApp(app)
    const [unused = '', used = ''] = await newLicenses(owner, 2)
    const program = await Program.of(app, owner)
    await program.init()
    await program.license(used)
    const rows = { licenses: [license(1, { key: unused, duration: '7' }), license(2, { key: used })] }
    const skip = await send(owner, await started(owner), rows)
    expect(skip.body.results.map(({ code }) => code)).toEqual(['LICENSE_TAKEN', 'LICENSE_TAKEN'])
    const importId = await started(owner, { onConflict: 'overwrite' })
    const { body } = await send(owner, importId, rows)
    expect(body.results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['overwritten', undefined],
      ['skipped', 'ROW_REDEEMED'],
    ])
    const expiryOf = async () => (await keysOf(owner)).find(({ license: key }) => key === unused)?.expiry
    expect(await expiryOf()).toBe(7 * 86_400)
    expect((await undo(owner, importId)).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await expiryOf()).toBe(30 * 86_400)
  })

  test('a repeated batch creates nothing twice and has the same reply, and batches come in order', async () => {
    const owner = await newOwnerWithApp(app)
    const importId = await started(owner, { rows: 4 })
    const rows = { licenses: [license(1), license(2)] }
    const both = await Promise.all([send(owner, importId, rows), send(owner, importId, rows)])
    expect(both.map(({ body }) => [body.created, body.skipped])).toEqual([
      [2, 0],
      [2, 0],
    ])
    expect((await keysOf(owner)).length).toBe(2)
    const changed = await send(owner, importId, { licenses: [license(3)] })
    expect(changed.body).toMatchObject({ code: 'IMPORT_BATCH_CHANGED' })
    const early = await send(owner, importId, { licenses: [license(3)] }, 3)
    expect(early.body).toMatchObject({ code: 'IMPORT_BATCH_ORDER', message: 'This import continues with batch 2' })
    const many = await send(owner, importId, { licenses: [3, 4, 5].map((row) => license(row)) }, 2)
    expect(many.body).toMatchObject({ code: 'IMPORT_ROWS_EXCEEDED' })
    expect((await send(owner, importId, { licenses: [license(3), license(4)] }, 2)).body).toMatchObject({ created: 2 })
  })

  test('an undo moves what nobody has touched to the bin, within 30 days', async () => {
    const owner = await newOwnerWithApp(app)
    const importId = await started(owner)
    await send(owner, importId, { licenses: [license(1), license(2), license(3)] })
    await send(owner, importId, { licenses: [license(4)] }, 2)
    const program = await Program.of(app, owner)
    await program.init()
    await program.license('KEY-2')
    await passTime(app, owner, 29 * 86_400)
    const listed = (await owner.visitor.call('GET /imports')).body.imports
    expect(listed).toMatchObject([{ importId, created: 4, doneRows: 4, undoneAt: null }])
    expect((await undo(owner, importId)).body).toMatchObject({ restored: 3, failed: 1 })
    expect((await keysOf(owner)).map(({ license: key }) => key)).toEqual(['KEY-2'])
    const { items } = (await owner.visitor.call('GET /bin')).body
    expect(items.map(({ name }) => name).toSorted()).toEqual(['KEY-1', 'KEY-3', 'KEY-4'])
    expect((await send(owner, importId, { licenses: [license(5)] }, 3)).body).toMatchObject({ code: 'IMPORT_UNDONE' })
    expect((await undo(owner, importId)).body).toMatchObject({ restored: 0, failed: 0 })
  })

  test('nobody else sees, continues, or undoes an import', async () => {
    const owner = await newOwnerWithApp(app)
    const stranger = await newOwnerWithApp(app)
    const importId = await started(owner)
    await send(owner, importId, { licenses: [license(1)] })
    expect((await send(stranger, importId, { licenses: [license(2)] }, 2)).status).toBe(404)
    expect((await undo(stranger, importId)).body).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    expect((await stranger.visitor.call('GET /imports')).body.imports).toEqual([])
    expect((await stranger.visitor.call('GET /import_report', { query: { importId } })).status).toBe(404)
  })
})

describe('users', () => {
  const password = 'Correct7Horse'
  const hash = hashSync(password, 4).replace('$2b$', '$2y$')

  test('get their subscriptions, and sign in with their imported password, whose hash is then replaced', async () => {
    const owner = await newOwnerWithApp(app)
    const importId = await started(owner, { kind: 'users' })
    const expiry = String(app.now() + 5 * 86_400)
    const subscriptions = [{ level: 'default', expiry }]
    const rows = [user(1, { password: hash, subscriptions }), user(2, { banned: '1', password: hash })]
    expect((await send(owner, importId, { users: rows })).body).toMatchObject({ created: 2, results: [] })
    expect(await timeLeft(owner, 'user 1')).toBe(5 * 86_400)
    expect((await userOf(owner, 'user 2'))?.banned).toBe(true)
    const stored = async () =>
      (await app.db.read.selectFrom('users').selectAll().where('username', '=', 'user 1').executeTakeFirst())
        ?.password_hash
    const program = await Program.of(app, owner)
    await program.init()
    expect((await program.login('user 1', 'Wrong7Guess')).body).toMatchObject({ code: 'INVALID_CREDENTIALS' })
    expect(await stored()).toBe(hash)
    expect((await program.login('user 1', password)).body).toMatchObject({ success: true })
    expect(await stored()).toMatch(/^\$argon2id/)
    expect((await program.login('user 1', password)).body).toMatchObject({ success: true })
  })

  test('come 500 at a time, each with all the cells and subscriptions that a row can have', async () => {
    const owner = await newOwnerWithApp(app)
    const importId = await started(owner, { kind: 'users', rows: 500 })
    const subscriptions = Array.from({ length: 20 }, () => ({ level: '1', expiry: '1' }))
    const cells = { email: '', password: hash, hwid: 'S-1-5-21', banned: 'no', subscriptions }
    const users = Array.from({ length: 500 }, (_, at) => user(at + 1, cells))
    expect((await send(owner, importId, { users })).body).toMatchObject({ created: 500, skipped: 0 })
  })

  test('a bad row is skipped with its reason', async () => {
    const owner = await newOwnerWithApp(app)
    const importId = await started(owner, { kind: 'users' })
    const bad: [object, string][] = [
      [{ username: '' }, 'USERNAME_REQUIRED'],
      [{ username: 'a\u202eb' }, 'USERNAME_INVALID'],
      [{ username: 'u'.repeat(65) }, 'USERNAME_INVALID'],
      [{ email: 'nobody' }, 'EMAIL_INVALID'],
      [{ password: 'plain text' }, 'HASH_UNSUPPORTED'],
      [{ password: hash.replace('$04$', '$15$') }, 'HASH_UNSUPPORTED'],
      [{ subscriptions: [{ level: '1', expiry: '2027-02-31' }] }, 'EXPIRY_INVALID'],
      [{ subscriptions: [{ level: 'gold', expiry: '1' }] }, 'LEVEL_UNASSIGNED'],
      [{ banned: 'perhaps' }, 'BANNED_UNKNOWN'],
    ]
    const rows = bad.map(([more], at) => user(at + 1, more))
    const { body } = await send(owner, importId, { users: rows })
    expect(body.results.map(({ row, code }) => [row, code])).toEqual(bad.map(([, code], at) => [at + 1, code]))
    expect(body.created).toBe(0)
  })

  test('a taken name is skipped, renamed, or overwritten, and an undo restores what was overwritten', async () => {
    const owner = await newOwnerWithApp(app)
    const name = await newUser(owner, 'Anna')
    const rows = (expiry: string) => ({
      users: [user(1, { username: 'anna', email: 'a@example.com', subscriptions: [{ level: '1', expiry }] })],
    })
    const skip = await send(owner, await started(owner, { kind: 'users' }), rows('1'))
    expect(skip.body.results).toMatchObject([{ outcome: 'skipped', code: 'USERNAME_TAKEN' }])
    const rename = await send(owner, await started(owner, { kind: 'users', onConflict: 'rename' }), rows('1'))
    expect(rename.body).toMatchObject({ created: 1, results: [{ outcome: 'renamed', newName: 'anna-2' }] })
    const importId = await started(owner, { kind: 'users', onConflict: 'overwrite' })
    const before = await userOf(owner, name)
    await send(owner, importId, rows(String(app.now() + 86_400)))
    expect(await userOf(owner, name)).toMatchObject({ email: 'a@example.com' })
    expect(await timeLeft(owner, name)).toBe(86_400)
    expect((await undo(owner, importId)).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await userOf(owner, name)).toEqual(before)
  })

  test('an overwritten user who is paused has the time that the file names, also after the pause', async () => {
    const owner = await newOwnerWithApp(app)
    const name = await newSubscriber(owner, { days: 30 })
    await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Plus' } })
    const pause = (paused: boolean) =>
      owner.visitor.call('POST /toggle_pause_user', { body: { username: name, paused } })
    await pause(true)
    await passTime(app, owner, 100 * 86_400)
    const levels = [1, 2].map((level) => ({ label: String(level), level }))
    const importId = await started(owner, { kind: 'users', onConflict: 'overwrite', levels })
    const expiry = String(app.now() + 40 * 86_400)
    const subscriptions = levels.map(({ label: level }) => ({ level, expiry }))
    const { body } = await send(owner, importId, { users: [user(1, { username: name, subscriptions })] })
    expect(body).toMatchObject({ overwritten: 1 })
    const left = () => Promise.all(levels.map(({ level }) => timeLeft(owner, name, level)))
    expect(await left()).toEqual([40 * 86_400, 40 * 86_400])
    await pause(false)
    expect(await left()).toEqual([40 * 86_400, 40 * 86_400])
  })

  test('without a password, a user signs in with the name as the license key, and an undo takes both', async () => {
    const owner = await newOwnerWithApp(app)
    const importId = await started(owner, { kind: 'users', withKeys: true })
    const expiry = String(app.now() + 86_400)
    const row = user(1, { username: 'ABCD-1234', subscriptions: [{ level: '1', expiry }] })
    await send(owner, importId, { users: [row, user(2, { username: 'EFGH-5678', subscriptions: row.subscriptions })] })
    const program = await Program.of(app, owner)
    await program.init()
    expect((await program.license('ABCD-1234')).body).toMatchObject({ success: true })
    expect(await timeLeft(owner, 'ABCD-1234')).toBe(86_400)
    expect((await undo(owner, importId)).body).toMatchObject({ restored: 1, failed: 1 })
    expect((await keysOf(owner)).map(({ license: key }) => key)).toEqual(['ABCD-1234'])
    expect(await userOf(owner, 'EFGH-5678')).toBeUndefined()
  })

  test('are bound to their HWIDs only if that was chosen', async () => {
    const owner = await newOwnerWithApp(app)
    const hwid = 'S-1-5-21-1004336348'
    for (const withHwids of [false, true]) {
      const username = `bound ${withHwids}`
      const importId = await started(owner, { kind: 'users', withHwids })
      await send(owner, importId, {
        users: [user(1, { username, password: hash, hwid, subscriptions: [{ level: '1', expiry: 'lifetime' }] })],
      })
      const program = await Program.of(app, owner)
      await program.init()
      program.hwid = 'another-machine-id'
      const { body } = await program.login(username, password)
      expect(body.code ?? 'signed in').toBe(withHwids ? 'HWID_MISMATCH' : 'signed in')
    }
  })
})

test('an import stops at the limit of the plan, and the other rows say so', async () => {
  const owner = await newOwnerWithApp(app)
  await app.db.write(({ db }) => db.updateTable('accounts').set({ plan: 'Free' }).where('id', '=', owner.id).execute())
  const importId = await started(owner)
  const licenses = Array.from({ length: 27 }, (_, at) => license(at + 1))
  const check = { licenses, levels: ['1'] }
  const checked = await owner.visitor.call('POST /imports/check', { body: check })
  expect(checked.body).toMatchObject({ valid: 27, conflicts: 0, room: 25, results: [] })
  const { body } = await send(owner, importId, { licenses })
  expect(body).toMatchObject({ created: 25, skipped: 2 })
  expect(body.results.map(({ row, code }) => [row, code])).toEqual([
    [26, 'LICENSE_LIMIT_REACHED'],
    [27, 'LICENSE_LIMIT_REACHED'],
  ])
})

test('a check counts what the import then does, and changes nothing', async () => {
  const owner = await newOwnerWithApp(app)
  await newUser(owner, 'Taken')
  const users = [user(1, { username: 'taken' }), user(2), user(3, { email: '?' })]
  const body = { users, levels: [], onConflict: 'rename' as const }
  const checked = (await owner.visitor.call('POST /imports/check', { body })).body
  expect(checked).toMatchObject({ valid: 2, conflicts: 1, room: null })
  expect((await userOf(owner, 'user 2'))?.username).toBeUndefined()
  const done = await send(owner, await started(owner, { kind: 'users', onConflict: 'rename' }), { users })
  expect(done.body.results).toEqual(checked.results)
})

test('a level of a file has a name as in the dashboard: its label, cut off at 50 characters', async () => {
  const owner = await newOwnerWithApp(app)
  const label = 'x'.repeat(60)
  const file = { kind: 'users' as const, source: 'csv' as const, fileName: 'f', fingerprint: 'ab', rows: 1 }
  const start = (name: string) =>
    owner.visitor.call('POST /imports/start', { body: { ...file, levels: [{ label, name }] } })
  expect(await start(label)).toMatchObject({ status: 400, body: { code: 'TEXT_TOO_LONG' } })
  expect(levelNameOf(`${'x'.repeat(49)}😀`)).toBe('x'.repeat(49))
  expect((await start(levelNameOf(label))).status).toBe(200)
  const level = (await owner.visitor.call('GET /subscriptions')).body.subscriptions.at(-1)
  expect(level?.name).toBe('x'.repeat(50))
  const edit = { level: level?.level ?? 0, name: 'Short', before: { name: level?.name ?? '' } }
  expect((await owner.visitor.call('POST /update_subscription', { body: edit })).status).toBe(200)
})

test('an import creates the levels it needs, and two labels can mean the same one', async () => {
  const owner = await newOwnerWithApp(app)
  const importId = await started(owner, {
    kind: 'users',
    levels: [
      { label: 'vip', name: 'VIP' },
      { label: 'default', level: 1 },
      { label: '1', level: 1 },
    ],
  })
  const subscriptions = [
    { level: 'default', expiry: '100' },
    { level: '1', expiry: String(app.now() + 60) },
    { level: 'vip', expiry: '2999-01-01' },
  ]
  await send(owner, importId, { users: [user(1, { subscriptions })] })
  expect(await timeLeft(owner, 'user 1')).toBe(60)
  const names = (await owner.visitor.call('GET /subscriptions')).body.subscriptions.map(({ name }) => name)
  expect(names).toContain('VIP')
})
