import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { selfSigned } from '#testing/servers/self-signed.ts'
import { Load } from './load.ts'
import { atLeast, type Measurement } from './measurement.ts'
import { ProgramFleet } from './program-fleet.ts'
import { ServerProcess } from './server-process.ts'

const loops = 8

/** Processor time of the server per heartbeat over TLS: on a kept connection, on a resumed one, and after a full handshake. */
export const tls: Measurement = {
  name: 'tls',
  engines: 'first',
  async run({ quick, scratch, newPlace }) {
    const place = await newPlace()
    const { cert, key } = selfSigned()
    const files = { TLS_CERT_FILE: join(place.dataDir, 'cert.pem'), TLS_KEY_FILE: join(place.dataDir, 'key.pem') }
    writeFileSync(files.TLS_CERT_FILE, cert)
    writeFileSync(files.TLS_KEY_FILE, key, { mode: 0o600 })
    setDefaultCACertificates([...getCACertificates(), cert])
    // The programs sign in over plain HTTP, as everywhere in the bench.
    const plain = await ServerProcess.start(scratch, place)
    const load = new Load(scratch)
    const fleet = await ProgramFleet.of(plain, place, load)
    const sessions = await fleet.signedIn(100)
    const { path, app } = fleet.job('heartbeat')
    const beats = fleet.job('heartbeat', { sessions, maxMs: quick ? 1000 : 5000 })
    await fleet.run(beats)
    const before = plain.cpuMs()
    const unencrypted = await fleet.run(beats)
    const plainUs = ((plain.cpuMs() - before) / unencrypted.answered) * 1000
    load.end()
    await plain.end()
    const server = await ServerProcess.start(scratch, { environment: { ...place.environment, ...files }, isTls: true })
    const beat = (agent: Agent, session: string) =>
      new Promise<void>((done, failed) => {
        const sent = request(
          {
            port: server.port,
            host: '127.0.0.1',
            path,
            method: 'POST',
            agent,
            headers: {
              'content-type': 'application/json',
              'content-length': 2,
              'x-signet-app': app,
              'x-signet-nonce': randomBytes(16).toString('base64url'),
              'x-signet-time': String(Date.now()),
              'x-signet-session': session,
            },
          },
          (reply) => {
            reply.resume()
            reply.on('end', () =>
              reply.statusCode === 200 ? done() : failed(new Error(`heartbeat: ${reply.statusCode}`)),
            )
          },
        )
        sent.on('error', failed)
        sent.end('{}')
      })
    const cpuUs = async (agent: Agent): Promise<number> => {
      const start = performance.now()
      const cpu = server.cpuMs()
      let answered = 0
      const loop = async () => {
        while (performance.now() - start < (quick ? 1000 : 5000)) {
          await beat(agent, sessions[answered % sessions.length] ?? '')
          answered++
        }
      }
      await Promise.all(Array.from({ length: loops }, loop))
      agent.destroy()
      atLeast(100, answered, 'heartbeats over TLS')
      return ((server.cpuMs() - cpu) / answered) * 1000
    }
    await cpuUs(new Agent({ keepAlive: true, maxSockets: loops }))
    const kept = await cpuUs(new Agent({ keepAlive: true, maxSockets: loops }))
    const resumed = await cpuUs(new Agent({ keepAlive: false }))
    const full = await cpuUs(new Agent({ keepAlive: false, maxCachedSessions: 0 }))
    await server.end()
    return [
      { name: 'processor time per heartbeat, plain HTTP', value: plainUs, unit: 'µs' },
      { name: 'the same over TLS, on a kept connection', value: kept, unit: 'µs' },
      { name: 'the same, on a new connection with a resumed session', value: resumed, unit: 'µs' },
      { name: 'the same, after a full handshake', value: full, unit: 'µs' },
    ]
  },
}
