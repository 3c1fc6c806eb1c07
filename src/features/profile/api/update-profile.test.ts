import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { answerWithAct } from '#testing/faults/before-write.ts'
import { expectAllRejected, expectRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwner, type Owner } from '#testing/people/people.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: Owner

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(async () => {
  app.advance(61)
  owner = await newOwner(app)
})

interface Change {
  username?: string
  email?: string
  displayName?: string
  timeZone?: string | null
  before?: { email?: string; displayName?: string; timeZone?: string | null }
}
const update = (body: Change, { visitor } = owner) => visitor.call('POST /profile/update', { body })
const me = async () => (await owner.visitor.call('GET /check-auth')).body.user

test('changes the address and the display name', async () => {
  const { body } = await update({
    username: owner.username,
    email: ' New.Address@example.com ',
    displayName: ' Ana Souza ',
  })
  expect(body).toMatchObject({
    success: true,
    code: 'PROFILE_UPDATE_OK',
    message: 'Profile updated successfully',
  })
  expect(body.user).toMatchObject({
    email: 'New.Address@example.com',
    displayName: 'Ana Souza',
    username: owner.username,
  })
  expect(await me()).toEqual(body.user)
  const login = { username: 'new.address@EXAMPLE.com', password: owner.password }
  expect((await app.visitor().call('POST /login', { body: login })).status).toBe(200)
})

test('omitted fields stay unchanged', async () => {
  const before = await me()
  await update({ displayName: 'Only this' })
  expect(await me()).toEqual({ ...before, displayName: 'Only this' })
})

const noZones = ['', ' ', 'Mars/Olympus_Mons', 'America', '+03:00', 'utc', 'GMT+3', "UTC'; drop table accounts; --"]

test('rejects an unknown time zone and changes nothing', async () => {
  await update({ timeZone: 'Asia/Tokyo' })
  for (const timeZone of noZones) {
    const { status, body } = await update({ timeZone, displayName: 'Changed' })
    expect([status, body.code], timeZone).toEqual([400, 'TIME_ZONE_UNKNOWN'])
  }
  expect(await me()).toMatchObject({ timeZone: 'Asia/Tokyo', displayName: owner.username })
})

test('the time zone is the browser’s own until one is chosen, and again after it is removed', async () => {
  expect(await me()).toMatchObject({ timeZone: null })
  for (const timeZone of ['America/Sao_Paulo', 'Asia/Kolkata', 'UTC', null]) {
    expect((await update({ timeZone })).body.user).toMatchObject({ timeZone })
    expect(await me()).toMatchObject({ timeZone })
  }
})

test("changing the time zone needs no recent sign-in, and doesn't affect other owners", async () => {
  const other = await newOwner(app)
  app.advance(301)
  expect((await update({ timeZone: 'Europe/Lisbon' })).status).toBe(200)
  expect((await other.visitor.call('GET /check-auth')).body.user).toMatchObject({ timeZone: null })
  const login = { username: owner.username, password: owner.password }
  expect((await app.visitor().call('POST /login', { body: login })).body.user).toMatchObject({
    timeZone: 'Europe/Lisbon',
  })
})

test("the username can't be changed, not even its case", async () => {
  for (const username of ['somebody', owner.username.toUpperCase(), '']) {
    const { status, body } = await update({ username, displayName: 'New' })
    expect([status, body.code]).toEqual([400, 'USERNAME_FIXED'])
  }
  expect(await me()).toMatchObject({ username: owner.username, displayName: owner.username })
})

test("changing the email address needs a recent sign-in; other changes don't (R-SES-08)", async () => {
  app.advance(301)
  const address = (await me())?.email as string
  expect((await update({ username: owner.username, email: address, displayName: 'Later' })).status).toBe(200)
  const { status, body } = await update({ email: 'other@example.com' })
  expect([status, body.code]).toEqual([403, 'REAUTH_REQUIRED'])
  expect(await me()).toMatchObject({ email: address })
  await owner.visitor.call('POST /profile/reauthenticate', { body: { password: owner.password } })
  expect((await update({ email: `moved-${address}` })).status).toBe(200)
})

test.skipIf(hasTwoProcesses)(
  "an address that was changed while a save was on its way isn't changed back without one (R-SES-08)",
  async () => {
    const { email = '' } = (await me()) ?? {}
    app.advance(301)
    expect((await update({ displayName: 'Before' })).status).toBe(200)
    const change = { email: `new-${email}`, email_key: `new-${email}` }
    const act = () =>
      app.db.write(({ db }) => db.updateTable('accounts').set(change).where('id', '=', owner.id).execute())
    const answer = await answerWithAct(app, { number: 1, act }, () => update({ email, displayName: 'Later' }))
    expect([answer.status, answer.body.code]).toEqual([403, 'REAUTH_REQUIRED'])
    expect(await me()).toMatchObject({ email: change.email, displayName: 'Before' })
  },
)

test('rejects an address that is taken, in any case', async () => {
  const other = await newOwner(app)
  const { status, body } = await update({ email: `${other.username}@EXAMPLE.com` })
  expect([status, body.code, body.message]).toEqual([409, 'ACCOUNT_TAKEN', 'Username or email already exists'])
})

test('of 10 owners who take the same address at once, one gets it', async () => {
  const owners = []
  for (let n = 0; n < 10; n++) owners.push(await newOwner(app))
  const answers = await Promise.all(owners.map((each) => update({ email: 'wanted@example.com' }, each)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
})

test.each([
  [{ email: 'nonsense' }, 'EMAIL_INVALID', 'Please enter a valid email address'],
  [{ email: '  ' }, 'EMAIL_REQUIRED', 'Email is required'],
  [{ displayName: '  ' }, 'DISPLAY_NAME_REQUIRED', 'Display name is required'],
  [{ displayName: 'x'.repeat(65) }, 'DISPLAY_NAME_TOO_LONG', 'Display name must be at most 64 characters'],
  [{ timeZone: 'Mars/Base' }, 'TIME_ZONE_UNKNOWN', 'This time zone does not exist'],
])('rejects %j by the rules of registration: %s, %s', async (change, code, message) => {
  const answer = await update(change)
  expectRejected(answer, change)
  expect(answer.body).toMatchObject({ code, message, field: Object.keys(change)[0] })
})

test('a save over a field that another tab changed in the meantime changes nothing', async () => {
  const { email = '', displayName = '' } = (await me()) ?? {}
  await update({ displayName: 'Theirs' })
  const rejected = await update({ displayName: 'Mine', email: 'mine@example.com', before: { displayName, email } })
  expectRejected(rejected, 'Mine', 409)
  expect(rejected.body).toMatchObject({ code: 'FIELD_CHANGED', current: { displayName: 'Theirs' } })
  expect(await me()).toMatchObject({ displayName: 'Theirs', email })
  // Sending the stored value is no conflict, and other fields can be changed.
  expect((await update({ displayName: ' Theirs ', before: { displayName } })).status).toBe(200)
  expect((await update({ email: `new-${email}`, before: { email } })).status).toBe(200)
  expect(await me()).toMatchObject({ displayName: 'Theirs', email: `new-${email}` })
})

test('exactly one of 10 parallel changes of the name succeeds', async () => {
  const { displayName = '' } = (await me()) ?? {}
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => update({ displayName: `Name ${n}`, before: { displayName } })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
})

test('rejects hostile input and changes nothing', async () => {
  const valid = {
    username: owner.username,
    email: `${owner.username}@example.com`,
    displayName: 'Fine',
    timeZone: null,
  }
  const hostile = {
    username: notTexts,
    email: [...notTexts, 'a@b', 'a b@example.com', `${'x'.repeat(250)}@example.com`, "'; drop table accounts; --"],
    displayName: [...notTexts, 'x'.repeat(2000)],
    timeZone: [...notTexts.filter((value) => value !== null), ...noZones, `Europe/${'x'.repeat(2000)}`],
    before: [
      ...notTexts.filter((value) => typeof value !== 'object' || value === null),
      { username: 'x' },
      { email: 5 },
    ],
  }
  await expectAllRejected(app, owner.visitor, '/profile/update', [
    ...hostileBodies(valid, hostile),
    { ...valid, role: 'admin' },
    { ...valid, plan: 'Pro' },
  ])
})

test('rejects a caller without a session', async () => {
  expectRejected(await app.visitor().call('POST /profile/update', { body: { displayName: 'X' } }), 'update', 401)
})

test("an owner can try five addresses an hour, on any network; names aren't counted", async () => {
  const limited = await startTestApp({ config: { limits: readConfig({}).limits, trustedProxies: ['127.0.0.1'] } })
  try {
    const [asking, other] = [await newOwner(limited), await newOwner(limited)]
    let network = 0
    const ask = (body: Change, { visitor } = asking) =>
      visitor.call('POST /profile/update', { body, headers: { 'x-forwarded-for': `203.0.113.${++network}` } })
    const codes = []
    for (let n = 0; n < 8; n++)
      codes.push((await ask({ email: n % 2 ? `free${n}@example.com` : `${other.username}@example.com` })).body.code)
    expect(codes.slice(0, 5)).toEqual([
      'ACCOUNT_TAKEN',
      'PROFILE_UPDATE_OK',
      'ACCOUNT_TAKEN',
      'PROFILE_UPDATE_OK',
      'ACCOUNT_TAKEN',
    ])
    expect(codes.slice(5)).toEqual(['RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED'])
    const rejected = await ask({ email: 'another@example.com' })
    expect(Number(rejected.headers.get('retry-after'))).toBe(3600)
    // Other fields can still be changed, even if the unchanged email address is sent.
    expect((await ask({ displayName: 'Later', email: 'free3@example.com' })).status).toBe(200)
    expect((await ask({ email: 'of.somebody.else@example.com' }, other)).status).toBe(200)
    limited.advance(3600)
    await asking.visitor.call('POST /login', { body: { username: asking.username, password: asking.password } })
    expect((await ask({ email: 'another@example.com' })).status).toBe(200)
  } finally {
    await limited.close()
  }
})
