import type { Generated } from 'kysely'

export interface LogsTable {
  id: Generated<number>
  app_id: string
  at: number
  /** The client call, or `message` for what a program wrote itself. */
  call: string
  /** Why the call was refused; empty when it was not. */
  code: string
  /** What the program wrote, or was told as it was refused. */
  message: string
  username: string
  license: string
  hwid_hash: string
  /** The machine as all apps of the owner know it. */
  machine_hash: Generated<string>
  ip: string
  /** ISO 3166-1 alpha-2; empty when it isn't known. */
  country: string
  /** The session's handle. */
  session: string
}

/** For how long an app's logs are stored, where its owner has changed that. */
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
