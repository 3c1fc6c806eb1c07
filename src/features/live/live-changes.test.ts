import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { auditEvents } from '#contract/audit-events.ts'
import { liveSubjects } from '#contract/live.ts'
import { EventBus } from '#database/event-bus.ts'
import { LiveChanges } from './live-changes.ts'
import { subjectsOf } from './live.rules.ts'

let bus: EventBus
let changes: LiveChanges
let due: string[]
let nowMs: number

beforeEach(() => {
  vi.useFakeTimers()
  bus = new EventBus()
  nowMs = 0
  changes = new LiveChanges(bus, () => nowMs)
  due = []
  bus.on('live-due', (appId) => void due.push(appId))
})
afterEach(() => {
  changes.close()
  vi.useRealTimers()
})

const feedOf = (appId: string, lastEventId?: string) =>
  changes.feed({ appId, ownerId: 'o', lastEventId, maxOfOwner: 1 })
async function read(feed: ReturnType<typeof feedOf>) {
  const [event] = await feed.next()
  return event && { id: event.id, subjects: (event.data as { subjects: string[] }).subjects }
}
let writes = 0
const publish = (topic: string) => bus.publish(`${topic}/w${++writes}`)
const everything = [...liveSubjects]

test('any number of changes are announced once per second, with all their subjects', async () => {
  const feed = feedOf('a')
  expect((await read(feed))?.subjects).toEqual([])
  for (let times = 0; times < 1000; times++) publish('live:a/licenses')
  expect(due).toEqual(['a'])
  publish('live:a/users')
  expect((await read(feed))?.subjects).toEqual(['licenses', 'users'])
  publish('live:a/alerts')
  vi.advanceTimersByTime(999)
  expect(due).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(due).toHaveLength(2)
  expect((await read(feed))?.subjects).toEqual(['alerts'])
  vi.advanceTimersByTime(60_000)
  expect(due).toHaveLength(2)
  expect(await read(feed)).toBeUndefined()
})

test('a stream that resumes is told what changed meanwhile, or everything if that is not known', async () => {
  const first = await read(feedOf('a'))
  publish('live:a/users')
  expect(await read(feedOf('a', first?.id))).toMatchObject({ subjects: ['users'] })
  const last = await read(feedOf('a'))
  expect(await read(feedOf('a', last?.id))).toMatchObject({ subjects: [] })
  for (const unknown of ['', 'x', '1', `${first?.id}9`, 'other-1', '-', '9'.repeat(99)])
    expect(await read(feedOf('a', unknown)), unknown).toMatchObject({ subjects: everything })
  // Of another app, of which nothing was recorded at the time.
  publish('live:a/users')
  publish('live:b/users')
  expect(await read(feedOf('b', first?.id))).toMatchObject({ subjects: everything })
})

test('records only apps that are watched, and forgets them two minutes after the last stream', async () => {
  publish('live:a/users')
  bus.publish('live:*')
  expect([changes.watchedApps, due]).toEqual([0, []])
  const feed = feedOf('a')
  const first = await read(feed)
  nowMs = 119_000
  await feed.beat?.()
  nowMs += 119_000
  publish('live:a/users')
  expect(due).toEqual(['a'])
  nowMs += 2000
  publish('live:a/users')
  expect(changes.watchedApps).toBe(0)
  expect(await read(feedOf('a', first?.id))).toMatchObject({ subjects: everything })
})

test('a stream of an app that was forgotten while the process stood still is told that everything may have changed', async () => {
  const feed = feedOf('a')
  await feed.next()
  nowMs += 130_000
  feedOf('b')
  publish('live:a/users')
  expect(due).toContain('a')
  expect(await read(feed)).toMatchObject({ subjects: everything })
})

test('a change that is heard twice, as on PostgreSQL, is announced once', async () => {
  const feed = feedOf('a')
  await feed.next()
  for (let times = 0; times < 2; times++) bus.publish('live:a/users/w0')
  expect(await read(feed)).toMatchObject({ subjects: ['users'] })
  vi.advanceTimersByTime(60_000)
  expect(due).toHaveLength(1)
})

test('after a lost connection between processes, everything may have changed', async () => {
  const feed = feedOf('a')
  await feed.next()
  bus.publishReset()
  expect(await read(feed)).toMatchObject({ subjects: everything })
})

/** Kinds of events that aren't about one list of an app. */
const otherKinds = ['user', 'reseller', 'access', 'account', 'app', 'log', 'owner', 'plan', 'settings', 'job']

test('every event of a list changes it, also when it is undone, and a deletion the bin', () => {
  const lists = {
    license: 'licenses',
    session: 'sessions',
    alert: 'alerts',
    bin: 'users',
    subscription: 'subscriptions',
    variable: 'variables',
    download: 'files',
    webhook: 'webhooks',
    'seller-key': 'seller-keys',
    import: 'users',
  } as const
  const without = ['alert.threshold', 'import.start']
  for (const event of auditEvents.filter((each) => !without.includes(each))) {
    const kind = event.slice(0, event.indexOf('.'))
    expect([...Object.keys(lists), ...otherKinds], event).toContain(kind)
    const list = lists[kind as keyof typeof lists]
    if (list) expect(subjectsOf(event), event).toContain(list)
    expect(subjectsOf(`${event}.undo`)).toEqual(subjectsOf(event))
  }
  expect(subjectsOf('user.ban')).toEqual(['licenses', 'users', 'sessions'])
  expect(subjectsOf('license.redeem')).toEqual(['licenses', 'users', 'sessions'])
  expect(subjectsOf('license.update')).toEqual(['licenses', 'users'])
  for (const event of ['user.create-variable', 'user.update-variable', 'user.delete-variable'])
    expect(subjectsOf(event), event).toEqual(['user-variables'])
  expect(subjectsOf('sign-in.succeed')).toEqual([])
  for (const event of [
    'license.delete-used',
    'user.bulk-delete',
    'variable.delete',
    'subscription.delete',
    'webhook.delete.undo',
    'bin.restore',
    'import.run.undo',
  ])
    expect(subjectsOf(event), event).toContain('bin')
  for (const event of ['seller-key.delete', 'user.delete-variable', 'license.ban'])
    expect(subjectsOf(event), event).not.toContain('bin')
})
