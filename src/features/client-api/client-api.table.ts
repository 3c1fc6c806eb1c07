/** Nonces of programs that several processes must not take twice. */
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
