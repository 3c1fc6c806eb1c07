import type { Generated } from 'kysely'

/** Of the three accounts of a reseller in an app. */
export type AccountKind = 'balance' | 'source' | 'spent'

export type TransferKind = 'addition' | 'set' | 'deduction' | 'refund' | 'settlement'

export interface CreditAccountsTable {
  app_id: string
  reseller_id: string
  kind: AccountKind
  balance: number
  /** The app was taken away from the reseller. */
  closed: Generated<number>
}

export interface CreditTransfersTable {
  id: Generated<number>
  app_id: string
  reseller_id: string
  idempotency_key: string
  kind: TransferKind
  debit: AccountKind
  credit: AccountKind
  amount: number
  /** Of refunds: the license that was paid back. */
  license_id: number | null
  description: string
  level: number | null
  created_at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    credit_accounts: CreditAccountsTable
    credit_transfers: CreditTransfersTable
  }
}
