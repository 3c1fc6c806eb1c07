import type { Generated } from 'kysely'

/** The three accounts of a reseller in an app. */
export type AccountKind = 'balance' | 'source' | 'spent'

export type TransferKind = 'addition' | 'set' | 'deduction' | 'refund' | 'settlement'

export interface CreditAccountsTable {
  app_id: string
  reseller_id: string
  kind: AccountKind
  balance: number
  /** 1 once the app has been removed from the reseller. */
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
  /** For refunds: the refunded license. */
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
