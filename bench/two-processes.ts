import { Load, perSecond } from './load.ts'
import type { Measurement } from './measurement.ts'
import { median } from './percentiles.ts'
import { ProgramFleet } from './program-fleet.ts'
import { ServerProcess } from './server-process.ts'

/** Heartbeats and sign-ins of the same programs on one process, and spread over two, which share a PostgreSQL database. */
export const twoProcesses: Measurement = {
  name: 'two-processes',
  engines: 'each',
  async run({ quick, scratch, newPlace }) {
    const place = await newPlace()
    if (place.engine === 'sqlite') return []
    const [one, two] = [await ServerProcess.start(scratch, place), await ServerProcess.start(scratch, place)]
    const [load, otherLoad] = [new Load(scratch), new Load(scratch)]
    const fleet = await ProgramFleet.of(one, place, load)
    const other = await ProgramFleet.again(two, fleet.owner, otherLoad)
    const amount = quick ? 500 : 2000
    const maxMs = quick ? 2000 : 5000
    const alone: number[] = []
    const together: number[] = []
    const rates: number[] = []
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      const sessions = await fleet.signedIn(amount)
      const half = sessions.length / 2
      const ofOne = fleet.job('heartbeat', { sessions, maxMs })
      const ofTwo = [
        { runs: fleet, job: fleet.job('heartbeat', { sessions: sessions.slice(0, half), connections: 16, maxMs }) },
        { runs: other, job: other.job('heartbeat', { sessions: sessions.slice(half), connections: 16, maxMs }) },
      ]
      await Promise.all(ofTwo.map(({ runs, job }) => runs.run(job)))
      const before = one.cpuMs()
      const single = await fleet.run(ofOne)
      alone.push((one.cpuMs() - before) / single.answered)
      const cpuBefore = one.cpuMs() + two.cpuMs()
      const results = await Promise.all(ofTwo.map(({ runs, job }) => runs.run(job)))
      const answered = results.reduce((sum, result) => sum + result.answered, 0)
      together.push((one.cpuMs() + two.cpuMs() - cpuBefore) / answered)
      rates.push(results.reduce((sum, result) => sum + perSecond(result), 0) / perSecond(single))
    }
    load.end()
    otherLoad.end()
    await Promise.all([one.end(), two.end()])
    return [
      {
        name: 'processor time per heartbeat, of two processes by one',
        value: median(together) / median(alone),
        unit: '×',
        target: { max: 1.15 },
      },
      { name: 'processor time per heartbeat, one process', value: median(alone) * 1000, unit: 'µs' },
      { name: 'heartbeats of two processes, by one', value: median(rates), unit: '×' },
    ]
  },
}
