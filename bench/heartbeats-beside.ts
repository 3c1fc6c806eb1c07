import { setTimeout as pause } from 'node:timers/promises'
import { commonText } from './fill-million.ts'
import { listed } from './filled-server.ts'
import { atLeast, type Figure } from './measurement.ts'
import type { ProgramFleet } from './program-fleet.ts'

interface LargeOwner {
  fleet: ProgramFleet
  quick: boolean
  /** Exports all licenses. */
  download: () => Promise<unknown>
}

const rate = 'about 600 a second'
const maxP99Ms = 25
const leastRate = 70
/** A session can make twenty calls a second for a minute. */
const searchPauseMs = 100

/** What the programs of an owner notice while that owner works with a million licenses. */
export async function heartbeatsBeside({ fleet, quick, download }: LargeOwner): Promise<Figure[]> {
  const { visitor } = fleet.owner
  const sessions = await fleet.signedIn(100)
  const paced = fleet.job('heartbeat', { sessions, pauseMs: 50, maxMs: quick ? 2000 : 8000 })
  await fleet.run(paced)
  const alone = await fleet.run(paced)
  const beside = async (...works: (() => Promise<unknown>)[]) => {
    const until = performance.now() + paced.maxMs
    const working = works.map(async (work) => {
      while (performance.now() < until) await work()
    })
    const result = await fleet.run(paced)
    await Promise.all(working)
    atLeast(quick ? 100 : 1000, result.answered, 'heartbeats beside work of the owner')
    return result
  }
  const search = async () => {
    await listed(visitor.call('GET /licenses', { query: { search: commonText } }))
    await pause(searchPauseMs)
  }
  // Those of the programs are used.
  const ban = async () => {
    const { total } = await listed(visitor.call('GET /licenses', { query: { status: 'unused' } }))
    const body = { action: 'ban', filter: { status: 'unused' }, expectedCount: total, maxRows: quick ? 5000 : 50_000 }
    const { status } = await visitor.send('POST', '/api/1.0/website/licenses/bulk', { body })
    if (status !== 200) throw new Error(`The ban answered ${status}`)
  }
  const exporting = await beside(download)
  const working = await beside(download, search, ban)
  return [
    { name: 'heartbeat p99 beside exports', value: exporting.p99, unit: 'ms', note: rate },
    { name: 'heartbeat p99 without them', value: alone.p99, unit: 'ms', note: rate },
    {
      name: 'heartbeat p99 beside exports, searches, and bans by filter',
      value: working.p99,
      unit: 'ms',
      target: { max: maxP99Ms },
    },
    {
      name: 'rate of heartbeats then, of that without them',
      value: (100 * working.answered) / alone.answered,
      unit: '%',
      target: { min: leastRate },
    },
  ]
}
