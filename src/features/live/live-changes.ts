import { type LiveSubject, liveSubjects } from '#contract/live.ts'
import type { EventBus } from '#database/event-bus.ts'
import type { AppEvent, Tx } from '#database/database.ts'
import type { EventFeed, StreamEvent } from '#server/http/event-stream.ts'
import { accountChangedTopic } from '#server/audit/account-changes.ts'
import { randomText } from '#server/secrets/random-text.ts'
import { perServer } from '#server/services.ts'
import { subjectsOf } from './live.rules.ts'

/**
 * From every process, after a commit: `live:ap_1/licenses,users/w9`. The last part is different each time, because
 * PostgreSQL also notifies the process that publishes.
 */
const changedTopic = 'live'
/** In this process: there is something to send. */
const dueTopic = 'live-due'
const pauseMs = 1000
/** Longer than a browser needs to reconnect; streams of an app beat more often. */
const maxHeard = 1000
const rememberedMs = 120_000

interface WatchedApp {
  ownerId: string

  /** Changes before this number were not recorded. */
  since: number
  /** Number of the last change of each subject. */
  changes: Map<LiveSubject, number>
  lastReadMs: number
  pause: NodeJS.Timeout | undefined
  isDue: boolean
  /** The latest topics. */
  heard: Set<string>
}

interface LiveFeed {
  appId: string
  ownerId: string
  lastEventId: string | undefined
  maxOfOwner: number
}

/** The changes of the apps that are watched in this process. Those of other apps are not recorded. */
export class LiveChanges {
  readonly #bus: EventBus
  readonly #clock: () => number
  /** Event IDs of another process or of an earlier run are recognized by it. */
  readonly #instance = randomText(8)
  readonly #apps = new Map<string, WatchedApp>()
  #number = 0

  /** `clock` returns milliseconds. */
  constructor(bus: EventBus, clock: () => number) {
    this.#bus = bus
    this.#clock = clock
    bus.on(changedTopic, (topic) => {
      const [appId = '', subjects = ''] = topic.split('/')
      if (appId === '*') for (const watched of this.#apps.keys()) this.#record(watched, liveSubjects)
      else if (this.#isNew(appId, topic)) this.#record(appId, subjects.split(',') as LiveSubject[])
    })
    // The stream of each app also tells of its owner's account, so that a browser needs only one.
    bus.on(accountChangedTopic, (topic) => {
      const [ownerId = '', subjects = ''] = topic.split('/')
      for (const [appId, watched] of this.#apps)
        if (watched.ownerId === ownerId && this.#isNew(appId, topic))
          this.#record(appId, subjects.split(',') as LiveSubject[])
    })
    // Programs write log entries when their sessions begin and end, which is published anyway.
    bus.on('logs', (appId) => this.#record(appId, ['sessions']))
    bus.on('sign-ins', (appId) => this.#record(appId, ['users']))
  }

  get watchedApps(): number {
    return this.#apps.size
  }

  feed({ appId, ownerId, lastEventId, maxOfOwner }: LiveFeed): EventFeed {
    this.#watch(appId, ownerId)
    const [, instance, number] = /^([A-Za-z0-9]{1,20})-(\d{1,15})$/.exec(lastEventId ?? '') ?? []
    let isFirst = true
    // A first stream follows what its client loads now.
    let read = lastEventId === undefined ? this.#number : instance === this.#instance ? Number(number) : -1
    const eventOf = (subjects: readonly LiveSubject[]): StreamEvent => ({
      id: `${this.#instance}-${read}`,
      event: 'changed',
      data: { appId, subjects },
    })
    const next = async (): Promise<StreamEvent[]> => {
      const { since, changes } = this.#watch(appId, ownerId)
      const isKnown = read >= since && read <= this.#number
      const subjects = liveSubjects.filter((subject) => !isKnown || (changes.get(subject) ?? 0) > read)
      if (!isFirst && subjects.length === 0) return []
      isFirst = false
      read = this.#number
      return [eventOf(subjects)]
    }
    // A browser does not show comments to the page, which must notice when nothing arrives anymore.
    const beat = async (): Promise<StreamEvent | void> => {
      this.#watch(appId, ownerId)
      if (!isFirst) return eventOf([])
    }
    return { topic: { kind: dueTopic, id: appId }, next, beat, maxOfOwner }
  }

  close(): void {
    for (const { pause } of this.#apps.values()) clearTimeout(pause)
    this.#apps.clear()
  }

  #watch(appId: string, ownerId: string): WatchedApp {
    const now = this.#clock()
    const known = this.#apps.get(appId)
    if (known) {
      known.lastReadMs = now
      return known
    }
    for (const [id, { lastReadMs }] of this.#apps) if (now - lastReadMs > rememberedMs) this.#forget(id)
    const watched: WatchedApp = {
      ownerId,
      since: this.#number,
      changes: new Map(),
      lastReadMs: now,
      pause: undefined,
      isDue: false,
      heard: new Set(),
    }
    this.#apps.set(appId, watched)
    return watched
  }

  #forget(appId: string): void {
    clearTimeout(this.#apps.get(appId)?.pause)
    this.#apps.delete(appId)
    // If the process only stood still, its streams watch it again: they may have missed something.
    this.#number += 1
    this.#bus.publish(`${dueTopic}:${appId}`)
  }

  #isNew(appId: string, topic: string): boolean {
    const heard = this.#apps.get(appId)?.heard
    if (!heard || heard.has(topic)) return false
    if (heard.size >= maxHeard) heard.clear()
    heard.add(topic)
    return true
  }

  #record(appId: string, subjects: readonly LiveSubject[]): void {
    const watched = this.#apps.get(appId)
    if (!watched) return
    if (this.#clock() - watched.lastReadMs > rememberedMs) return this.#forget(appId)
    this.#number += 1
    for (const subject of subjects) watched.changes.set(subject, this.#number)
    watched.isDue = true
    if (watched.pause === undefined) this.#send(appId, watched)
  }

  /** At once, and then not for a second. */
  #send(appId: string, watched: WatchedApp): void {
    watched.isDue = false
    watched.pause = setTimeout(() => {
      watched.pause = undefined
      if (watched.isDue) this.#send(appId, watched)
    }, pauseMs).unref()
    this.#bus.publish(`${dueTopic}:${appId}`)
  }
}

/** What was published in a transaction, so that its further events do not repeat it: `ap_1/licenses`. */
const published = new WeakMap<Tx, Set<string>>()
const writer = randomText(8)
let writes = 0

/** Publishes what an event changes, once per transaction. Costs SQLite nothing, and PostgreSQL one NOTIFY. */
export async function publishChanges(tx: Tx, { type, appId, names }: AppEvent): Promise<void> {
  if (names?.length === 0) return
  const before = published.get(tx) ?? new Set()
  const subjects = subjectsOf(type).filter((subject) => !before.has(`${appId}/${subject}`))
  if (subjects.length === 0) return
  published.set(tx, new Set([...before, ...subjects.map((subject) => `${appId}/${subject}`)]))
  tx.publish(`${changedTopic}:${appId}/${subjects.join(',')}/${writer}${++writes}`)
}

export const liveChanges = perServer(({ db, clock }) => new LiveChanges(db.events, clock))
