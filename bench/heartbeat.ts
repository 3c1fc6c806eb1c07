import { compareWithBaseline } from './baseline.ts'
import { Load } from './load.ts'
import { atLeast, type Measurement } from './measurement.ts'
import { ProgramFleet } from './program-fleet.ts'
import { ServerProcess } from './server-process.ts'

/** "May I go on?" of signed-in programs, 32 connections: signed and session checked. */
export const heartbeat: Measurement = {
  name: 'heartbeat',
  engines: 'each',
  async run({ quick, scratch, newPlace }) {
    const place = await newPlace()
    const server = await ServerProcess.start(scratch, place)
    const load = new Load(scratch)
    const fleet = await ProgramFleet.of(server, place, load)
    const sessions = await fleet.signedIn(quick ? 100 : 1000)
    const job = fleet.job('heartbeat', { sessions, maxMs: quick ? 2000 : 5000 })
    await fleet.run(job)
    let cpuMs = 0
    let answered = 0
    const compared = await compareWithBaseline(scratch, load, {
      rounds: quick ? 1 : 5,
      measure: async () => {
        const before = server.cpuMs()
        const result = await fleet.run(job)
        cpuMs += server.cpuMs() - before
        answered += result.answered
        return { job, result }
      },
    })
    atLeast(quick ? 1000 : 20_000, answered, 'heartbeats')
    load.end()
    await server.end()
    return [
      { name: 'heartbeat by bare hello', value: compared.ratio * 100, unit: '%', target: { min: 50 } },
      { name: 'heartbeat p99, 32 connections', value: compared.p99, unit: 'ms', target: { max: 10 } },
      { name: 'heartbeat p50, 32 connections', value: compared.p50, unit: 'ms' },
      { name: 'heartbeats', value: compared.perSecond, unit: 'per second' },
      { name: 'bare hello', value: compared.baselinePerSecond, unit: 'per second' },
      { name: 'server processor time per heartbeat', value: (cpuMs / answered) * 1000, unit: 'µs' },
      { name: 'load client busy, heartbeat', value: compared.clientBusy * 100, unit: '%' },
      { name: 'load client busy, hello', value: compared.baselineClientBusy * 100, unit: '%' },
    ]
  },
}
