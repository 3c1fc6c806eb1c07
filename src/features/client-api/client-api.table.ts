/** Nonces of programs' requests that changed something: none of them is done again. */
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
