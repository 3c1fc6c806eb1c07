/**
 * `json` is JSON as text; `machine` is the hash of a machine, of which only the start is exported, as in all replies.
 */
export const columnKinds = ['text', 'number', 'flag', 'json', 'machine'] as const
export type ColumnKind = (typeof columnKinds)[number]

/**
 * The exported columns of a table. Only listed columns are exported, so that a new column requires a decision and a
 * secret is never exported by accident.
 */
export interface ExportedTable extends Partial<Record<ColumnKind, readonly string[]>> {
  table: string
  /** Columns that are unique within the app, in the order of an index. */
  key: readonly string[]
  /** Text columns of a referenced row; `on` maps its columns to columns of this table. */
  named?: { table: string; on: Readonly<Record<string, string>>; text: readonly string[] }
}

export const columnsOf = (table: ExportedTable): string[] => columnKinds.flatMap((kind) => table[kind] ?? [])

/** By the name in the file. Users contain their subscriptions and variables, see `export-app.ts`. */
export const exportedTables: Readonly<Record<string, ExportedTable>> = {
  signingKeys: {
    table: 'app_signing_keys',
    key: ['serial'],
    text: ['kid', 'certificate'],
    number: ['serial', 'not_before', 'not_after'],
  },
  replacedKeys: {
    table: 'app_replaced_keys',
    key: ['number'],
    text: ['root_public_key', 'announcement', 'box_public_key'],
    number: ['number', 'replaced_at'],
  },
  levels: { table: 'subscriptions', key: ['level'], text: ['name'], number: ['level', 'created_at'], flag: ['active'] },
  licenses: {
    table: 'licenses',
    key: ['id'],
    text: ['license', 'notes', 'generated_by', 'reseller_id', 'used_by'],
    number: ['id', 'level', 'duration_seconds', 'price', 'used_at', 'expires_at', 'created_at'],
    flag: ['used', 'banned'],
  },
  variables: {
    table: 'app_variables',
    key: ['id'],
    text: ['name', 'data'],
    number: ['created_at', 'updated_at'],
    flag: ['authenticated'],
  },
  sessions: {
    table: 'client_sessions',
    key: ['handle'],
    text: ['handle', 'ip', 'country', 'ended_code'],
    number: ['created_at', 'last_heartbeat_at', 'expires_at'],
    machine: ['hwid_hash'],
    named: { table: 'users', on: { app_id: 'app_id', id: 'user_id' }, text: ['username'] },
  },
  sellerKeys: {
    table: 'seller_keys',
    key: ['id'],
    text: ['id', 'name', 'last_four', 'last_used_ip'],
    number: ['created_at', 'last_used_at', 'exposed_at'],
    flag: ['active'],
    json: ['scopes', 'ip_list'],
  },
  webhooks: {
    table: 'webhooks',
    key: ['id'],
    text: ['id', 'url', 'user_agent'],
    number: ['stopped_at', 'failing_since', 'created_at'],
    flag: ['authenticated'],
    json: ['events'],
  },
  chatNotifications: { table: 'chat_notifications', key: [], json: ['events'] },
  downloads: {
    table: 'downloads',
    key: ['name'],
    text: ['id', 'name', 'description', 'file_name', 'sha256'],
    number: ['size', 'download_count', 'authenticated_count', 'created_at'],
    flag: ['authenticated', 'active', 'ready'],
  },
  alertThresholds: {
    table: 'alert_thresholds',
    key: ['type'],
    text: ['type'],
    number: ['threshold', 'window_seconds'],
    flag: ['enabled'],
  },
  logRetention: { table: 'log_retention', key: [], number: ['days'] },
  resellers: {
    table: 'reseller_apps',
    key: ['reseller_id'],
    text: ['reseller_id'],
    number: ['created_at'],
    json: ['allowed_plans', 'plan_costs', 'allowed_levels'],
    named: { table: 'resellers', on: { id: 'reseller_id' }, text: ['username', 'email'] },
  },
  creditAccounts: {
    table: 'credit_accounts',
    key: ['reseller_id', 'kind'],
    text: ['reseller_id', 'kind'],
    number: ['balance'],
    flag: ['closed'],
  },
  creditTransfers: {
    table: 'credit_transfers',
    key: ['reseller_id', 'id'],
    text: ['reseller_id', 'kind', 'debit', 'credit', 'description'],
    number: ['amount', 'license_id', 'level', 'created_at'],
  },
}

/** App tables that are not exported as a list, with the reason. */
export const notExported: Readonly<Record<string, string>> = {
  users: 'in `users`, as the dashboard describes them',
  user_subscriptions: 'in `users`',
  user_variables: 'in `users`',
  logs: 'have an export of their own, and end by themselves',
  audit: 'has an export of its own, and is of the account',
  audit_targets: 'parts of rows of the audit',
  audit_operations: 'parts of rows of the audit',
  alerts: 'are findings, which end by themselves',
  webhook_deliveries: 'end by themselves, and repeat what the lists say',
  webhook_listeners: 'end minutes after their command line',
  webhook_listener_events: 'end with their listener',
  download_events: 'end by themselves; their counts are in `downloads`',
  download_progress: 'parts of downloads that are still under way',
  activity_hours: 'counts of what logs say',
  activity_last: 'counts of what logs say',
  activity_users: 'counts of what logs say',
  alert_scans: 'how far detection has come',
  license_counts: 'counts of the list',
  user_counts: 'counts of the list',
  reseller_counts: 'counts of the list',
  reseller_users: 'counts of the list',
  undo_operations: 'end after half an hour, those of imports after 30 days',
  imports: 'end after 30 days; what they created is in the lists',
  bin_items: 'are deleted, and end after 30 days',
  used_nonces: 'end after minutes',
  search_changes: 'what the search has not read yet',
}
