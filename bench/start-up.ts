import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { Load } from './load.ts'
import type { Measurement } from './measurement.ts'
import { median } from './percentiles.ts'
import { ProgramFleet } from './program-fleet.ts'
import { ServerProcess } from './server-process.ts'

const idleMs = 5000

/**
 * Time from the command to the first reply with existing data, the memory of an idle server, and the start of a test
 * app.
 */
export const startUp: Measurement = {
  name: 'start-up',
  engines: 'each',
  async run({ quick, scratch, newPlace }) {
    const place = await newPlace()
    const first = await ServerProcess.start(scratch, place)
    const load = new Load(scratch)
    const fleet = await ProgramFleet.of(first, place, load)
    await fleet.signedIn(quick ? 100 : 1000)
    load.end()
    await first.end()
    const readyMs: number[] = []
    const cpuMs: number[] = []
    const bareMs: number[] = []
    for (let round = 0; round < (quick ? 2 : 7); round++) {
      const server = await ServerProcess.start(scratch, place)
      readyMs.push(server.readyMs)
      cpuMs.push(server.cpuMs())
      await server.end()
      const bare = await ServerProcess.start(scratch, { script: 'bench/baseline-server.ts', environment: {} })
      bareMs.push(bare.readyMs)
      await bare.end()
    }
    const idle = await ServerProcess.start(scratch, place)
    await new Promise((resolve) => setTimeout(resolve, idleMs))
    const { residentMb } = idle.memory()
    await idle.end()
    const tests =
      place.engine === 'sqlite'
        ? await timeTestApps(scratch.node([join(import.meta.dirname, 'test-app-starts.ts')]))
        : []
    return [
      { name: 'start to first answer, p50', value: median(readyMs), unit: 'ms', target: { max: 1000 } },
      { name: 'start to first answer, slowest', value: Math.max(...readyMs), unit: 'ms' },
      { name: 'start of a bare node:http server, p50', value: median(bareMs), unit: 'ms' },
      { name: 'processor time until the first answer', value: median(cpuMs), unit: 'ms' },
      { name: 'idle memory', value: residentMb, unit: 'MB', target: { max: 120 } },
      ...(tests.length === 0
        ? []
        : [
            {
              name: 'test app in memory, p50',
              value: median(tests.slice(1)),
              unit: 'ms' as const,
              target: { max: 100 },
            },
            { name: 'test app in memory, first of a process', value: tests[0] ?? Number.NaN, unit: 'ms' as const },
          ]),
    ]
  },
}

function timeTestApps(child: ChildProcess): Promise<number[]> {
  return new Promise((resolve, reject) => {
    child.once('message', (times) => resolve(times as number[]))
    child.once('exit', (code) => reject(new Error(`The test apps ended with ${code}`)))
  })
}
