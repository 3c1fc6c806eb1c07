import { compareWithBaselines } from './baseline.ts'
import { Load } from './load.ts'
import { atLeast, type Measurement } from './measurement.ts'
import { ProgramFleet } from './program-fleet.ts'
import { ServerProcess } from './server-process.ts'

/** Heartbeats of signed-in programs over 32 connections: signed replies, with a check of the session. */
export const heartbeat: Measurement = {
  name: 'heartbeat',
  engines: 'each',
  async run({ quick, scratch, places, newPlace }) {
    const place = await newPlace()
    const server = await ServerProcess.start(scratch, place)
    const load = new Load(scratch)
    const fleet = await ProgramFleet.of(server, place, load)
    const sessions = await fleet.signedIn(quick ? 100 : 1000)
    const job = fleet.job('heartbeat', { sessions, maxMs: quick ? 2000 : 5000 })
    await fleet.run(job)
    let answered = 0
    const compared = await compareWithBaselines(
      { scratch, load, server, places },
      {
        rounds: quick ? 1 : 5,
        signs: true,
        prepare: async () => ({
          job,
          run: async () => {
            const result = await fleet.run(job)
            answered += result.answered
            return result
          },
        }),
      },
    )
    atLeast(quick ? 1000 : 20_000, answered, 'heartbeats')
    load.end()
    await server.end()
    return [
      { name: 'heartbeat by echo', value: compared.byEcho * 100, unit: '%', target: { min: 60 } },
      { name: 'the same at most: hashes and signatures on node:http', value: compared.signingByEcho * 100, unit: '%' },
      { name: 'heartbeat by bare hello', value: compared.byHello * 100, unit: '%' },
      { name: 'heartbeat, processor time by hello', value: compared.cpuByHello, unit: '×', target: { max: 2.5 } },
      { name: 'heartbeat p99, 32 connections', value: compared.p99, unit: 'ms', target: { max: 10 } },
      { name: 'heartbeat p50, 32 connections', value: compared.p50, unit: 'ms' },
      { name: 'heartbeats', value: compared.perSecond, unit: 'per second' },
      { name: 'echo', value: compared.echoPerSecond, unit: 'per second' },
      { name: 'bare hello', value: compared.helloPerSecond, unit: 'per second' },
      { name: 'server processor time per heartbeat', value: compared.cpuUs, unit: 'µs' },
      { name: 'load client busy, heartbeat', value: compared.clientBusy * 100, unit: '%' },
      { name: 'load client busy, hello', value: compared.helloClientBusy * 100, unit: '%' },
    ]
  },
}
