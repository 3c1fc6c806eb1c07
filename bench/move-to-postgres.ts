import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Places } from './data-place.ts'
import { fillWithLicenses } from './fill-million.ts'
import { filledServer, sizesOf } from './filled-server.ts'
import type { Measurement } from './measurement.ts'

const watchMs = 100

/**
 * The whole command including its verification, from a SQLite database without a running server to a durable
 * PostgreSQL.
 */
export const moveToPostgres: Measurement = {
  name: 'move-to-postgres',
  engines: 'first',
  async run(bench) {
    const { amount } = sizesOf(bench)
    const sqlite = new Places('sqlite', bench.scratch)
    const source = { ...bench, places: sqlite, newPlace: () => sqlite.make() }
    const filled = await filledServer(source, `${amount} licenses`, (db, appId) => fillWithLicenses(db, appId, amount))
    await filled.server.end()
    const { url } = await new Places('postgres', bench.scratch).postgres()

    const started = performance.now()
    const command = bench.scratch.node(['tools/migrate-to-postgres.ts'], {
      ...filled.place.environment,
      DATABASE_URL: url,
    })
    let peakKb = 0
    const watch = setInterval(() => (peakKb = Math.max(peakKb, peakOf(command.pid))), watchMs)
    let output = ''
    for (const stream of [command.stdout, command.stderr])
      stream?.on('data', (text: Buffer) => (output += String(text)))
    const [code] = (await once(command, 'exit')) as [number | null]
    clearInterval(watch)
    if (code !== 0) throw new Error(`The command ended with ${code}: ${output}`)
    return [
      { name: 'moving a million licenses to PostgreSQL', value: (performance.now() - started) / 1000, unit: 's' },
      {
        name: 'moving a million licenses to PostgreSQL: memory',
        value: peakKb / 1024,
        unit: 'MB',
        note: 'at its highest',
      },
    ]
  },
}

/** In KB; 0 if the system does not report it, or the process has ended. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
