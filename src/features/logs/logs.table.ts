import type { Generated } from 'kysely'

export interface LogsTable {
  id: Generated<number>
  app_id: string
  at: number
  /** The client call, or `message` for a message written by the program. */
  call: string
  /** Error code of a rejected call; otherwise empty. */
  code: string
  /** Text written by the program, or the error message of a rejected call. */
  message: string
  username: string
  license: string
  hwid_hash: string
  /** Hash of the machine, the same in all apps of the owner. */
  machine_hash: Generated<string>
  ip: string
  /** ISO 3166-1 alpha-2; empty if unknown. */
  country: string
  /** The session's handle. */
  session: string
  /** Of a rejected call: the request ID that its reply gave. */
  request: Generated<string>
}

/** Retention of an app's log, if the owner has changed the default. */
export interface LogRetentionTable {
  app_id: string
  days: number
}

declare module '#database/schema.ts' {
  interface Schema {
    logs: LogsTable
    log_retention: LogRetentionTable
  }
}
