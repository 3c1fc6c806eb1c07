import { newLicenses } from '#testing/people/people.ts'
import { clientPrograms } from '#testing/clients/client-programs.ts'
import { clientOptions } from '#testing/people/sdk-client.ts'
import { Program } from '../sdks/conformance/program.ts'
import { Load } from './load.ts'
import type { Figure, Measurement } from './measurement.ts'
import { ProgramFleet } from './program-fleet.ts'
import { cpuMs } from './processor-time.ts'
import { ServerProcess } from './server-process.ts'

/**
 * Processor time of a heartbeat in each client library, all threads, with its signature checked. It includes reading
 * one command and printing one line, as the conformance programs do.
 */
export const clients: Measurement = {
  name: 'clients',
  engines: 'first',
  async run({ quick, scratch, newPlace, say }) {
    const place = await newPlace()
    const server = await ServerProcess.start(scratch, place)
    const load = new Load(scratch)
    const { owner } = await ProgramFleet.of(server, place, load)
    load.end()
    const heartbeats = quick ? 200 : 2000
    const figures: Figure[] = []
    for (const { language, command } of clientPrograms()) {
      if (!command) {
        say(`${language}: not built; npm test builds it`)
        continue
      }
      const [name = '', ...args] = command
      const program = new Program(name, args)
      const ask = async (what: string, fields: object = {}) => {
        const answer = await program.ask(what, { ...fields })
        if (!answer.ok) throw new Error(`${language}: ${what} answered ${answer.code}`)
      }
      const { ownerId, appName, version, sealingKey, verificationKey } = await clientOptions(server, owner)
      const settings = { ownerId, appName, version, sealingKey, verificationKey, serverUrl: server.url }
      await ask('create', { ...settings, hwid: 'a-machine-of-the-bench', heartbeatInterval: null })
      const [key] = await newLicenses(owner, 1)
      await ask('license', { key })
      // Warm: compiled code, an open connection, a verified certificate.
      for (let at = 0; at < heartbeats / 4; at++) await ask('heartbeat')
      const before = cpuMs(program.pid)
      for (let at = 0; at < heartbeats; at++) await ask('heartbeat')
      const value = ((cpuMs(program.pid) - before) / heartbeats) * 1000
      figures.push({ name: `${language} client, processor time of a heartbeat`, value, unit: 'µs' })
      await program.end()
    }
    await server.end()
    return figures
  },
}
