import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSubscriber, signedIn, userPassword } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const run = async ({ visitor }: OwnedApp) => (await visitor.call('POST /alerts/run-detection', { body: {} })).body
const alertsOf = async ({ visitor }: OwnedApp) => (await visitor.call('GET /alerts')).body.data

/** Three users on one machine, as with a shared computer or one program with many keys. */
async function shareMachine(owner: OwnedApp, names: readonly string[]) {
  for (const username of names) await signedIn(app, owner, await newSubscriber(owner, { username }))
}

test('detects the activity of real programs once, with the specified messages', async () => {
  const owner = await newOwnerWithApp(app)
  expect(await run(owner)).toMatchObject({ raised: 0, message: 'Detection finished: nothing new' })
  await shareMachine(owner, ['ada', 'ben', 'cyd'])
  expect(await run(owner)).toMatchObject({ raised: 1, message: 'Detection finished: 1 new alert' })
  expect(await alertsOf(owner)).toMatchObject([
    {
      type: 'HWID_MULTI_KEY',
      severity: 'HIGH',
      status: 'new',
      details: {
        userCount: 3,
        ip: '127.0.0.1',
        hwid: expect.stringMatching(/^[\w-]{43}$/),
        users: ['ada', 'ben', 'cyd'],
        occurrences: 1,
      },
    },
  ])
  expect(await run(owner)).toMatchObject({ raised: 0 })
  expect(await alertsOf(owner)).toHaveLength(1)
})

test('more of the same finding is added to its new alert; after a review, the same amount again raises another one', async () => {
  const owner = await newOwnerWithApp(app)
  await shareMachine(owner, ['ada', 'ben', 'cyd'])
  await run(owner)
  app.advance(60)
  await shareMachine(owner, ['dee'])
  expect(await run(owner)).toMatchObject({ raised: 0 })
  const [alert] = await alertsOf(owner)
  expect(alert?.details).toMatchObject({ userCount: 4, occurrences: 1, lastAt: app.now() })
  await owner.visitor.call('POST /alerts/{id}/review', { params: { id: alert?.alertId as string }, body: {} })
  app.advance(60)
  const program = await Program.of(app, owner)
  await program.init()
  await program.login('ada', userPassword)
  expect(await run(owner)).toMatchObject({ raised: 0 })
  await shareMachine(owner, ['eve', 'fay', 'gus'])
  expect((await alertsOf(owner)).filter(({ type }) => type === 'HWID_MULTI_KEY')).toHaveLength(1)
  await run(owner)
  const again = (await alertsOf(owner)).filter(({ type }) => type === 'HWID_MULTI_KEY')
  expect(again.map(({ status }) => status)).toEqual(['new', 'reviewed'])
})

test('an earlier and stronger occurrence changes nothing when stored data is scanned again', async () => {
  const owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  await shareMachine(owner, ['ada', 'ben', 'cyd', 'dan', 'eli', 'flo'])
  await run(owner)
  app.advance(2 * 86_400)
  await keepSignedIn(app, owner)
  await shareMachine(owner, ['gus', 'hal', 'ida'])
  await run(owner)
  const scanAgain = async () => {
    const threshold = { type: 'RESELLER_CREDIT_ABUSE', threshold: 20 } as const
    await owner.visitor.call('POST /alerts/thresholds', { body: threshold })
    return run(owner)
  }
  const ofMachine = async () => (await alertsOf(owner)).filter(({ type }) => type === 'HWID_MULTI_KEY')
  const found = await ofMachine()
  expect(found).toMatchObject([{ status: 'new', details: { userCount: 3, occurrences: 2 } }])
  expect(await scanAgain()).toMatchObject({ raised: 0 })
  expect(await ofMachine()).toEqual(found)
  await owner.visitor.call('POST /alerts/{id}/review', { params: { id: found[0]?.alertId ?? '' }, body: {} })
  expect(await scanAgain()).toMatchObject({ raised: 0 })
  expect((await ofMachine()).map(({ status }) => status)).toEqual(['reviewed'])
})

test("a machine is recognized in all apps of its owner, and in no other owner's app", async () => {
  // The detection of an earlier minute would raise the alert before it is asked for here.
  await app.jobsDone()
  const owner = await newOwnerWithApp(app)
  const stranger = await newOwnerWithApp(app)
  const second = { ...owner, appId: '', appName: 'Second' }
  second.appId = (
    await owner.visitor.call('POST /create_app', { body: { appName: 'Second', version: '1.0.0' } })
  ).body.appId
  await owner.visitor.call('POST /select_app', { body: { appId: owner.appId } })
  await signedIn(app, owner, await newSubscriber(owner, { username: 'ada' }))
  for (const target of [second, stranger]) {
    const program = await Program.of(app, target)
    await program.init()
    for (let n = 0; n < 3; n++) await program.license(`NO-SUCH-KEY-${n}`)
  }
  owner.visitor.appId = second.appId
  expect(await run(owner)).toMatchObject({ raised: 1 })
  expect(await alertsOf(owner)).toMatchObject([{ type: 'CROSS_APP_NO_LICENSE', details: { apps: [owner.appName] } }])
  expect(await run(stranger)).toMatchObject({ raised: 0 })
})

test('detection runs every minute for apps with new activity', async () => {
  const owner = await newOwnerWithApp(app)
  await shareMachine(owner, ['ada', 'ben', 'cyd'])
  // The activity is stored before the next minute.
  await owner.visitor.call('GET /alerts/user/{username}/activity', { params: { username: 'ada' } })
  app.advance(61)
  await app.jobsDone()
  expect((await alertsOf(owner)).map(({ type }) => type)).toContain('HWID_MULTI_KEY')
})

test('detection includes activity from before a restart', async () => {
  const owner = await newOwnerWithApp(app)
  await shareMachine(owner, ['ada', 'ben', 'cyd'])
  await app.stop()
  await app.start()
  app.advance(61)
  await app.jobsDone()
  expect((await alertsOf(owner)).map(({ type }) => type)).toContain('HWID_MULTI_KEY')
})

test('a detection that takes minutes is followed by one more, however many are asked for meanwhile', async () => {
  const { appId } = await newOwnerWithApp(app)
  app.advance(300)
  await app.jobsDone()
  const lane = { kind: 'alerts', lane: appId, next_at: app.now() + 3600, lease: 'of another process', last_run: 0 }
  await app.db.write((tx) => tx.db.insertInto('job_lanes').values(lane).execute())
  for (let minute = 0; minute < 3; minute++) {
    app.db.events.publish(`logs:${appId}`)
    app.advance(60)
    await app.jobsDone()
  }
  const jobs = app.db.read.selectFrom('jobs').select('id').where('kind', '=', 'alerts').where('lane', '=', appId)
  expect(await jobs.execute()).toHaveLength(1)
})

test('activity is found after the clock was ahead and was set back', async () => {
  const owner = await newOwnerWithApp(app)
  const setClock = (seconds: number) => {
    app.jumpClock(seconds)
    app.now()
    // The clock is believed after ten minutes.
    app.advance(660)
    app.now()
  }
  await keepSignedIn(app, owner)
  setClock(86_400)
  expect(await run(owner)).toMatchObject({ raised: 0 })
  setClock(-86_400)
  await shareMachine(owner, ['ada', 'ben', 'cyd'])
  await run(owner)
  expect((await alertsOf(owner)).map(({ type }) => type)).toEqual(['HWID_MULTI_KEY'])
})
