import type { Generated } from 'kysely'

export interface LogsTable {
  id: Generated<number>
  app_id: string
  at: number
  /** The client call, or `message` for what a program wrote itself. */
  call: string
  /** Why the call was refused; empty when it was not. */
  code: string
  message: string
  username: string
  license: string
  hwid_hash: string
  ip: string
  /** ISO 3166-1 alpha-2; empty when it isn't known. */
  country: string
  /** The session's handle. */
  session: string
}

declare module '#database/schema.ts' {
  interface Schema {
    logs: LogsTable
  }
}
