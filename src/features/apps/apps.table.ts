import type { Generated } from 'kysely'

export interface AppsTable {
  id: string
  owner_id: string
  name: string
  name_key: string
  description: Generated<string>
  version: string
  app_status: Generated<number>
  vpn_block: Generated<number>
  hwid_lock: Generated<number>
  hash_check: Generated<number>
  one_session_per_credential: Generated<number>
  minimum_hwid_length: Generated<number>
  hash_to_check: Generated<string>
  auto_update_link: Generated<string>
  webloader_link: Generated<string>
  discord_webhook_link: Generated<string>
  session_expiry_seconds: Generated<number>
  root_public_key: string
  root_private_sealed: string
  box_public_key: string
  box_private_sealed: string
  hwid_pepper_sealed: string
  created_at: number
  last_init_at: number | null
  /** Set when the app is deleted; its rows are then removed in batches. */
  deleted_at: number | null
  /** Highest cost of bcrypt hashes that were imported and may still be stored; null without any. */
  imported_hash_cost: Generated<number | null>
}

export interface AppSigningKeysTable {
  app_id: string
  kid: string
  serial: number
  private_sealed: string
  certificate: string
  not_before: number
  not_after: number
}

/** Keys that an app had before, numbered from 1 in the order in which they were replaced. */
export interface AppReplacedKeysTable {
  app_id: string
  number: number
  root_public_key: string
  /** Signed by this root key: names the one that replaced it. */
  announcement: string
  box_public_key: string
  box_private_sealed: string
  replaced_at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    apps: AppsTable
    app_signing_keys: AppSigningKeysTable
    app_replaced_keys: AppReplacedKeysTable
  }
}
