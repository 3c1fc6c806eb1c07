import type { Database } from '#database/database.ts'
import { fillWithActivity } from './fill-activity.ts'
import { filledServer } from './filled-server.ts'
import { atLeast, type Figure, type Measurement } from './measurement.ts'
import { Lateness } from './neighbours.ts'
import { timeOf } from './percentiles.ts'

const maxSeconds = 15
const maxStallMs = 50

/** Detection over a month's activity of one app, as after the first start, and the delay for other calls meanwhile. */
export const alerts: Measurement = {
  name: 'alerts',
  engines: 'each',
  async run(bench) {
    const { quick, say } = bench
    const users = quick ? 10_000 : 100_000
    const logs = quick ? 100_000 : 1_000_000
    const fill = (db: Database, appId: string) => fillWithActivity(db, appId, { users, logs })
    const { server, fleet, end } = await filledServer(bench, `${users} users and ${logs} log rows`, fill)
    const { visitor } = fleet.owner
    const lateness = new Lateness(server.url)
    const idleMs = await lateness.least(() => new Promise((resolve) => setTimeout(resolve, 2000)))
    let raised = 0
    let firstMs = 0
    const detect = async () => {
      const { status, body } = await visitor.call('POST /alerts/run-detection', { body: {} })
      if (status !== 200) throw new Error(`Detection answered ${status}: ${body.message}`)
      raised += body.raised
    }
    const latestMs = await lateness.during(async () => {
      firstMs = await timeOf(detect)
    })
    atLeast(1, raised, 'alerts')
    const againMs = await timeOf(detect)
    say(
      `${raised} alerts in ${Math.round(firstMs)} ms, ${latestMs.toFixed(1)} ms late at most; again ${againMs.toFixed(0)} ms`,
    )
    const figures: Figure[] = [
      {
        name: 'detection over 1,000,000 log rows and 100,000 users',
        value: firstMs / 1000,
        unit: 's',
        target: { max: maxSeconds },
      },
      { name: 'alerts it raised', value: raised, unit: 'count' },
      { name: 'detection when nothing is new', value: againMs, unit: 'ms' },
      {
        name: 'longest stall of other calls during detection',
        value: Math.max(0, latestMs - idleMs),
        unit: 'ms',
        target: { max: maxStallMs },
      },
    ]
    await end()
    return figures
  },
}
