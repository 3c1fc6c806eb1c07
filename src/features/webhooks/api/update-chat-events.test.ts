import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const chat = async (who = owner) => (await who.visitor.call('GET /webhooks', { query: {} })).body.chat

test('keeps the events that were ticked, in one order, for this app alone', async () => {
  const choose = (...events: ('user.banned' | 'license.created')[]) =>
    owner.visitor.call('POST /update_chat_events', { body: { events } })
  expect((await choose('user.banned', 'license.created')).body.code).toBe('CHAT_EVENTS_UPDATE_OK')
  expect(await chat()).toEqual({ isSet: false, events: ['license.created', 'user.banned'] })
  await choose()
  expect((await chat()).events).toEqual([])
  expect((await chat(stranger)).events).toEqual([])
})

test('returns events chosen in the meantime instead of overwriting them, also of two calls at once', async () => {
  const someone = await newOwnerWithApp(app)
  const choose = (events: ('user.banned' | 'license.created')[]) =>
    someone.visitor.call('POST /update_chat_events', { body: { events, before: { events: [] } } })
  const answers = await Promise.all([choose(['user.banned']), choose(['license.created'])])
  const { events } = await chat(someone)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'FIELD_CHANGED',
    current: { events },
  })
})

test('what is no list of events changes nothing', async () => {
  const events = [undefined, null, 'user.banned', {}, [5], ['no.such'], ['user.banned', 'user.banned']]
  await expectAllRejected(app, owner.visitor, '/update_chat_events', hostileBodies({ events: [] }, { events }))
})
