import type { Generated } from 'kysely'

export interface SellerKeysTable {
  app_id: string
  /** The public part of the key; unique across the platform. */
  id: string
  name: string
  /** SHA-256 of the secret; the key itself is never stored. */
  secret_hash: string
  last_four: string
  /** SHA-256 of the previous secret, valid until `previous_until` (epoch seconds). */
  previous_hash: string | null
  previous_until: number | null
  /** JSON list; empty grants full access. */
  scopes: Generated<string>
  /** JSON list of IP addresses and networks; empty allows all. */
  ip_list: Generated<string>
  active: Generated<number>
  created_at: number
  last_used_at: number | null
  last_used_ip: string | null
  /** When the secret was first seen in a URL. Epoch seconds. */
  exposed_at: number | null
}

declare module '#database/schema.ts' {
  interface Schema {
    seller_keys: SellerKeysTable
  }
}
