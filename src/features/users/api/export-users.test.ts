import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day, manyUsers, newSubscriber, newUser, signedIn } from '#testing/people/end-users.ts'
import { expectQueriesRejected, expectRejected, seen } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { formulasIn } from '#testing/spreadsheet.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app, 'Export app')
  await newSubscriber(owner, { username: 'first', days: 30 })
  await newSubscriber(owner, { username: 'second, "quoted"', days: null })
  await newUser(owner, '=HYPERLINK("x")', { email: 'a@example.com' })
  await owner.visitor.call('POST /user_variables', {
    body: { username: 'first', variableName: 'k', variableData: 'v' },
  })
  await signedIn(app, owner, 'first')
})
afterAll(() => app.close())

const exported = (query: Record<string, unknown>, by = owner) =>
  by.visitor.send<{ content: string; format: string; filename: string; text: string }>(
    'GET',
    '/api/1.0/website/export_users',
    { query },
  )

describe('exporting', () => {
  test('csv has a header and a row for each user, oldest first, with formulas made inert (R-INP-03)', async () => {
    const { body } = await exported({ format: 'csv' })
    expect(body.format).toBe('csv')
    expect(body.filename).toMatch(/^users-.*-\d{4}-\d\d-\d\d\.csv$/)
    const rows = body.content.split('\r\n')
    expect(rows[0]).toBe('Username,Email,Status,Subscriptions,HWID,IP,Created,Last login')
    expect(rows[1]).toMatch(
      // A hash that starts with a minus sign is escaped, too.
      /^first,,Active,Basic: \d{4}-\d\d-\d\dT[\d:.]+Z,(?:'-[\w-]{11}|\w[\w-]{11}),127\.0\.0\.1,\d{4}-.*Z,\d{4}-.*Z$/,
    )
    expect(rows[2]).toMatch(/^"second, ""quoted""",,Active,Basic: Lifetime,,,\d{4}-.*Z,$/)
    expect(rows[3]).toMatch(/^"'=HYPERLINK\(""x""\)",a@example\.com,Expired,,,,\d{4}-.*Z,$/)
    expect(rows).toHaveLength(5)
  })

  test('no name becomes a formula, wherever a spreadsheet splits the file (R-INP-03)', async () => {
    const other = await newOwnerWithApp(app)
    for (const name of ['x;=HYPERLINK(1)', 'a,b;"=1+1"', '"""', 'y|+1', "z;@SUM('a')", '-10', 'ends,;'])
      await newUser(other, name)
    const { content } = (await exported({ format: 'csv' }, other)).body
    expect(content).toContain('HYPERLINK')
    expect(formulasIn(content)).toEqual([])
    expect(formulasIn((await exported({ format: 'txt' }, other)).body.content, '\n')).toEqual([])
  })

  test('txt has one name per line, json what lists return', async () => {
    expect((await exported({ format: 'txt' })).body.content).toBe(`first\nsecond, "quoted"\n'=HYPERLINK("x")\n`)
    const users = JSON.parse((await exported({ format: 'json' })).body.content) as Record<string, unknown>[]
    const listed = (await owner.visitor.call('GET /users')).body.users.toReversed()
    expect(users.map(({ username }) => username)).toEqual(listed.map(({ username }) => username))
    expect(users[0]).toMatchObject({ username: 'first', variables: { k: 'v' }, hasActiveSubscription: true })
    expect(JSON.stringify(users)).not.toMatch(/argon2|a-machine-of-the-test/)
  })

  test.each([
    ['csv', 'text/csv'],
    ['txt', 'text/plain'],
    ['json', 'application/json'],
  ])('with download the reply is the %s file itself', async (format, type) => {
    const answer = await exported({ format, download: 'true' })
    expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    expect(answer.headers.get('content-disposition')).toMatch(new RegExp(`^attachment; filename="[^"]+\\.${format}"$`))
    const { content } = (await exported({ format })).body
    if (format === 'json') expect(answer.body).toHaveLength(3)
    else expect(answer.body.text).toBe(content)
  })

  test('accepts the filters of the list, and more users than one batch', async () => {
    const other = await newOwnerWithApp(app)
    await manyUsers(app, other, { prefix: 'ended', amount: 2100, expiresAt: app.now() - 1 })
    await manyUsers(app, other, { prefix: 'active', amount: 2, expiresAt: app.now() + day })
    const names = (await exported({ format: 'txt' }, other)).body.content.trimEnd().split('\n')
    expect(new Set(names).size).toBe(2102)
    expect((await exported({ format: 'txt', status: 'active' }, other)).body.content).toBe('active-0\nactive-1\n')
    expect(JSON.parse((await exported({ format: 'json', status: 'expired' }, other)).body.content)).toHaveLength(2100)
    expect(JSON.parse((await exported({ format: 'json', status: 'banned' }, other)).body.content)).toEqual([])
  })
})

const chosen = (body: { usernames: string[]; format?: 'csv' | 'json' | 'txt'; columns?: 'username' }, by = owner) =>
  by.visitor.call('POST /export_users', { body })

describe('choosing', () => {
  test('columns stand in the order of the file, and JSON has the fields of the chosen ones', async () => {
    const csv = (await exported({ format: 'csv', columns: 'ip,username,ip' })).body.content.split('\r\n')
    expect(csv.slice(0, 2)).toEqual(['Username,IP', 'first,127.0.0.1'])
    const json = JSON.parse((await exported({ format: 'json', columns: 'status,username' })).body.content) as object[]
    expect(json[0]).toEqual({ username: 'first', banned: false, paused: false, hasActiveSubscription: true })
    expect(json).toHaveLength(3)
    const txt = (await exported({ format: 'txt', columns: 'email' })).body.content
    expect(txt).toBe((await exported({ format: 'txt' })).body.content)
  })

  test('selected users alone, oldest first, as if they were the whole list; those who are gone are left out', async () => {
    const usernames = ['=HYPERLINK("x")', 'nobody', 'FIRST']
    const csv = (await chosen({ usernames })).body
    expect(csv.filename).toMatch(/^users-Export app-.*\.csv$/)
    const whole = (await exported({ format: 'csv' })).body.content.split('\r\n')
    expect(csv.content.split('\r\n')).toEqual([whole[0], whole[1], whole[3], ''])
    expect(formulasIn(csv.content)).toEqual([])
    expect((await chosen({ usernames, format: 'txt' })).body.content).toBe(`first\n'=HYPERLINK("x")\n`)
    const { content } = (await chosen({ usernames, format: 'json', columns: 'username' })).body
    expect(JSON.parse(content)).toEqual([{ username: 'first' }, { username: '=HYPERLINK("x")' }])
    expect(JSON.parse((await chosen({ usernames: ['nobody'], format: 'json' })).body.content)).toEqual([])
  })

  test('a user of another app is left out like one that never existed', async () => {
    const stranger = await newOwnerWithApp(app)
    const { content } = (await chosen({ usernames: ['first'], format: 'txt' }, stranger)).body
    expect(content).toBe('')
  })
})

describe('rejections', () => {
  test('rejects bad queries', async () => {
    await expectQueriesRejected(owner.visitor, '/export_users', [
      { format: 'pdf' },
      { download: 'maybe' },
      { status: 'frozen' },
      { level: 'x' },
      { search: 'x'.repeat(201) },
      { noSuchField: 1 },
      { columns: 'username,' },
      { columns: 'password' },
      { columns: 'username;ip' },
    ])
    const bodies = [{ usernames: [] }, { usernames: Array(1001).fill('first') }, { usernames: 'first' }, {}]
    for (const body of [
      ...bodies,
      { usernames: ['first'], columns: 'password' },
      { usernames: ['first'], format: 'pdf' },
    ])
      expectRejected(await owner.visitor.send('POST', '/api/1.0/website/export_users', { body }), 'export', 400)
  })

  test("rejects calls without a session, and another owner's app looks like a missing one", async () => {
    const stranger = await newOwnerWithApp(app)
    expectRejected(await app.visitor().send('GET', '/api/1.0/website/export_users'), 'export', 401)
    const foreign = await exported({ appId: owner.appId }, stranger)
    expectRejected(foreign, 'export', 404)
    expect(seen(foreign)).toBe(seen(await exported({ appId: 'app_AAAAAAAAAAAAAAAA' }, stranger)))
  })
})
