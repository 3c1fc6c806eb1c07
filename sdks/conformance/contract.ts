/** What the runner says to a client's program, and hears from it (README.md). */

export interface CreateOptions {
  ownerId?: string
  appName?: string
  version?: string
  serverUrl?: string
  verificationKey?: string
  sealingKey?: string
  programHash?: string
  sealRequests?: boolean
  /** Seconds. */
  timeout?: number
  /** Seconds; null for no heartbeat in the background. */
  heartbeatInterval?: number | null
  /** Seconds. */
  grace?: number
  hwid?: string
  allowHttp?: boolean
  language?: string
  fingerprints?: string[]
  /** Path of a PEM file with the certificate authorities to trust. */
  caFile?: string
}

export type Fields = Record<string, unknown>

export interface Success {
  id: number
  ok: true
  result: Fields
}

export interface Failure {
  id: number
  ok: false
  code: string
  status?: number
  message?: string
  retryAfter?: number | null
}

export type Answer = Success | Failure

export interface ProgramEvent {
  event: 'lost' | 'interrupted' | 'resumed'
  code?: string
}

/** `ok`, or the code. */
export const outcomeOf = (answer: Answer): string => (answer.ok ? 'ok' : answer.code)
