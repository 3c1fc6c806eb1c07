import { activation } from './activation.ts'
import { alerts } from './alerts.ts'
import { bundleSizes } from './bundle-sizes.ts'
import { clients } from './clients.ts'
import { failover } from './failover.ts'
import { firstPaint } from './first-paint.ts'
import { heartbeat } from './heartbeat.ts'
import { importUsers } from './import-users.ts'
import { Places } from './data-place.ts'
import { interactions } from './interactions.ts'
import { killNine } from './kill-nine.ts'
import { liveSessions } from './live-sessions.ts'
import { millionLicenses } from './million-licenses.ts'
import { millionUsers } from './million-users.ts'
import { moveToPostgres } from './move-to-postgres.ts'
import { neighbours } from './neighbours.ts'
import { otherServer } from './other-server.ts'
import type { Bench, Measurement } from './measurement.ts'
import { readOptions } from './options.ts'
import { machineFacts, printComparison, printReport, type Report, writeReport } from './report.ts'
import { Scratch } from './scratch.ts'
import { resellerList } from './reseller-list.ts'
import { startUp } from './start-up.ts'
import { tls } from './tls.ts'
import { twoProcesses } from './two-processes.ts'
import { ensureDashboard } from '../tools/build-dashboard.ts'
import { ensureServer } from '../tools/build-server.ts'

/** The measurements in the table of the README. No time is asserted: figures are printed next to their targets. */
const measurements: readonly Measurement[] = [
  heartbeat,
  activation,
  startUp,
  bundleSizes,
  firstPaint,
  interactions,
  killNine,
  failover,
  millionLicenses,
  millionUsers,
  resellerList,
  importUsers,
  neighbours,
  liveSessions,
  twoProcesses,
  tls,
  alerts,
  moveToPostgres,
  clients,
]

// Otherwise, the first measured start would include the build.
await ensureDashboard()
await ensureServer()

const { only, engines, quick, compare, against } = readOptions(
  process.argv.slice(2),
  measurements.map(({ name }) => name),
)
const chosen =
  against === undefined
    ? measurements.filter(({ name }) => only.length === 0 || only.includes(name))
    : [otherServer(against)]
const scratch = new Scratch()

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void scratch.clear().finally(() => process.exit(1)))
}

try {
  for (const [index, engine] of engines.entries()) {
    const report: Report = {
      engine,
      only: against === undefined ? only : chosen.map(({ name }) => name),
      quick,
      startedAt: new Date().toISOString(),
      machine: machineFacts(),
      figures: [],
      failures: [],
    }
    const places = new Places(engine, scratch)
    const bench: Bench = {
      quick,
      scratch,
      places,
      newPlace: () => places.make(),
      say: (text) => console.error(`  ${text}`),
    }
    for (const { name, engines: where, run } of chosen) {
      if (where === 'first' && index > 0) continue
      console.error(`${engine}: ${name}`)
      try {
        report.figures.push(...(await run(bench)))
      } catch (error) {
        process.exitCode = 1
        report.failures.push({ name, error: String(error) })
        console.error(error)
      }
    }
    printReport(report)
    if (compare) printComparison(report)
    writeReport(report)
    await scratch.clear()
  }
} finally {
  await scratch.clear()
}
