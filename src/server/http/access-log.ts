import type { IncomingMessage, ServerResponse } from 'node:http'
import ipaddr from 'ipaddr.js'
import type { Services } from '../services.ts'

/** Facts about a request that may be logged, filled in as they become known. */
export interface LoggedRequest {
  requestId: string
  method: string
  /** The route pattern: the URL itself may contain a key or a name. */
  path: string | undefined
  /** Address of the peer or, behind a trusted proxy, of its client. */
  ip: string
  appId: string | undefined
}

const ipv4Bits = 24
const ipv6Bits = 48

/**
 * Addresses in a written log cannot be redacted later, so only the network is logged if addresses are kept for a limited
 * number of days.
 */
export function loggedAddress(ip: string, retentionDays: number): string {
  if (retentionDays === 0 || !ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) {
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${ipv4Bits}`).toString()}/${ipv4Bits}`
  }
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${ipv6Bits}`).toString()}/${ipv6Bits}`
}

/** The fields of a line about a request. */
export const requestFields = (
  { config }: Pick<Services, 'config'>,
  { requestId, method, path, ip, appId }: LoggedRequest,
) => ({ requestId, method, path, app: appId, address: loggedAddress(ip, config.addressRetentionDays) })

/** The client disconnected before the reply was complete. */
const leftStatus = 499

/** Writes one line per answered request (`LOG_REQUESTS`). */
export class AccessLog {
  readonly #services: Services
  readonly #requests = new WeakMap<IncomingMessage, () => LoggedRequest>()

  constructor(services: Services) {
    this.#services = services
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    const startedAt = performance.now()
    const ip = request.socket.remoteAddress ?? ''
    response.once('close', () => {
      const { method = '' } = request
      const known = this.#requests.get(request)?.() ?? { requestId: '', method, path: undefined, ip, appId: undefined }
      const status = response.writableFinished ? response.statusCode : leftStatus
      const ms = Math.round((performance.now() - startedAt) * 10) / 10
      this.#services.log.info({ ...requestFields(this.#services, known), status, ms }, 'request')
    })
  }

  /** `known` is read when the request is answered. */
  describe(request: IncomingMessage, known: () => LoggedRequest): void {
    this.#requests.set(request, known)
  }
}
