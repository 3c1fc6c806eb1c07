import { compareWithBaseline } from './baseline.ts'
import { Load, perSecond } from './load.ts'
import { atLeast, type Measurement } from './measurement.ts'
import { ProgramFleet } from './program-fleet.ts'
import { ServerProcess } from './server-process.ts'

/** A program starts and redeems a fresh key: the answer is signed, and sent when the disk has it. */
export const activation: Measurement = {
  name: 'activation',
  engines: 'each',
  async run({ quick, scratch, newPlace }) {
    const place = await newPlace()
    const server = await ServerProcess.start(scratch, place)
    const load = new Load(scratch)
    const fleet = await ProgramFleet.of(server, place, load)
    const rounds = quick ? 1 : 5
    const perRound = quick ? 1000 : 5000
    await fleet.signedIn(perRound)
    const starts: number[] = []
    let cpuMs = 0
    const compared = await compareWithBaseline(scratch, load, {
      rounds,
      measure: async () => {
        const keys = await fleet.keys(perRound)
        const { sessions, result: started } = await fleet.start(perRound)
        starts.push(perSecond(started))
        const before = server.cpuMs()
        const result = await fleet.activate(sessions, keys)
        cpuMs += server.cpuMs() - before
        atLeast(perRound, result.answered, 'activations')
        const body = JSON.stringify({ key: keys[0], hwid: 'a-machine-of-the-bench' })
        return { job: fleet.job('license', { sessions, bodies: [body] }), result }
      },
    })
    load.end()
    await server.end()
    return [
      { name: 'activation by bare hello', value: compared.ratio * 100, unit: '%', target: { min: 25 } },
      { name: 'activations', value: compared.perSecond, unit: 'per second' },
      { name: 'activation p50, 32 connections', value: compared.p50, unit: 'ms' },
      { name: 'activation p99, 32 connections', value: compared.p99, unit: 'ms' },
      { name: 'program starts (init)', value: Math.max(...starts), unit: 'per second' },
      { name: 'server processor time per activation', value: (cpuMs / (rounds * perRound)) * 1000, unit: 'µs' },
    ]
  },
}
