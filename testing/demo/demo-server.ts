import type { AddressInfo } from 'node:net'
import type { Database } from '#database/database.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import type { Config } from '#server/config/config.ts'
import { newLog } from '#server/log/log.ts'
import { type OutgoingAnswer, type OutgoingRequest, OutgoingRequests } from '#server/network/outgoing.ts'
import { Passwords } from '#server/passwords/passwords.ts'
import type { MasterKey } from '#server/secrets/master-key.ts'
import type { Services } from '#server/services.ts'
import { startServer } from '#server/start-server.ts'
import type { TimeSource } from '#server/clock/server-clock.ts'
import { features } from '#features.ts'

/** A receiver of webhooks in the demo's world: answers by host name and time (epoch seconds). */
export type Receiver = (host: string, now: number) => OutgoingAnswer

export interface DemoServer {
  url: string
  services: Services
  /** Epoch seconds. */
  now(): number
  /** Advances the time to this one, in epoch seconds. */
  moveTo(at: number): void
  /** Stores the programs' activity and runs the jobs that are due. */
  settle(): Promise<void>
  stop(): Promise<void>
}

export interface DemoPlatform {
  config: Config
  db: Database
  masterKey: MasterKey
}

/** Passwords of the demo are public; the next sign-in hashes them at the usual cost. */
export const demoPasswords = new Passwords({ memoryKiB: 8, passes: 1 })

class DemoClock implements TimeSource {
  readonly #start: number
  #passedMs = 0

  constructor(start: number) {
    this.#start = start * 1000
  }

  moveTo(at: number): void {
    this.#passedMs = Math.max(this.#passedMs, at * 1000 - this.#start)
  }

  monotonic = (): number => this.#passedMs
  wall = (): number => this.#start + this.#passedMs
}

/** Nothing leaves this machine. */
class DemoReceivers extends OutgoingRequests {
  readonly #receiver: Receiver
  readonly #now: () => number

  constructor(config: Config, receiver: Receiver, now: () => number) {
    super(config.outgoing, async () => [])
    this.#receiver = receiver
    this.#now = now
  }

  override async post({ url }: OutgoingRequest): Promise<OutgoingAnswer> {
    return this.#receiver(new URL(url).host, this.#now())
  }
}

const enough = 1e9

/** The real server on a clock that the demo moves. `from` in epoch seconds. */
export async function startDemoServer(
  { config, db, masterKey }: DemoPlatform,
  { from, receiver, dashboardDir }: { from: number; receiver: Receiver; dashboardDir?: string },
): Promise<DemoServer> {
  const clock = new DemoClock(from)
  const { server, services, jobs, stop } = await startServer(
    {
      config: {
        ...config,
        // People and programs of the demo say where they are.
        trustedProxies: ['127.0.0.1'],
        drainSeconds: 0,
        diskLowBytes: 0,
        limits: {
          registrationsPerHour: enough,
          anonymousCallsPerMinute: enough,
          programStartsPerMinute: enough,
          heartbeatsPerMinute: enough,
          rejectedRequestsPerMinute: enough,
        },
      },
      db,
      masterKey,
      log: newLog(process.env['TEST_LOG'] ?? 'fatal', process.stderr),
      timeSource: clock,
      passwords: demoPasswords,
      resolveHost: async () => [],
    },
    features,
    dashboardDir,
  )
  const now = () => Math.floor(services.clock() / 1000)
  services.outgoing = new DemoReceivers(config, receiver, now)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    services,
    now,
    moveTo: (at) => clock.moveTo(at),
    async settle() {
      await activityLog(services).flush()
      await jobs.idle()
    },
    stop,
  }
}
