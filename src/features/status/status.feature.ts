import { statusStates } from '#contract/status-parts.ts'
import type { Feature } from '#server/http/endpoint.ts'
import { statusCalls } from './api/status.ts'
import { checkIntegrityAfterStart, checkIntegrityJob } from './check-integrity.ts'
import { mailProbe } from './mail-probe.ts'
import { openStatusBoard, statusBoard } from './status-board.ts'
import { commonProbes } from './status-probes.ts'
import { statusContract } from './status.contract.ts'

/** More often than once a minute, so that a late timer misses no minute. */
const sampleMs = 20_000

/** Status of the platform and its history, for all signed-in users. */
export const status: Feature = {
  name: 'status',
  contract: statusContract,
  endpoints: statusCalls,
  jobs: { 'check-integrity': checkIntegrityJob },
  gauges: [
    {
      name: 'signet_status',
      help: '1 for the current state of each part of the platform',
      labelNames: ['part', 'state'],
      read: async (services) => {
        const { parts } = await statusBoard(services).current()
        return parts.flatMap(({ part, state }) =>
          statusStates.map((each) => ({ labels: { part, state: each }, value: each === state ? 1 : 0 })),
        )
      },
    },
  ],
  start: async (services, features) => {
    const given = features.map(({ status }) => status ?? {})
    const board = openStatusBoard(services, Object.assign({}, commonProbes, ...given))
    const cancelCheck = checkIntegrityAfterStart(services)
    const stopMailProbe = mailProbe(services).start()
    const timer = setInterval(() => void board.sample(), sampleMs).unref()
    return async () => {
      clearInterval(timer)
      cancelCheck()
      await stopMailProbe()
      await board.sampled()
    }
  },
}
