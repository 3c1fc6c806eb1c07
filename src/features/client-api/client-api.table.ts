/** Used nonces of programs' changing requests, so that none of these is executed again. */
export interface UsedNoncesTable {
  digest: string
  /** Epoch milliseconds. */
  at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    used_nonces: UsedNoncesTable
  }
}
