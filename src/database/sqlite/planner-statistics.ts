import type { SqliteConnection } from './sqlite-connection.ts'

/**
 * Fixed statistics for SQLite's planner: five apps with 200,000 rows each in every table. By default, SQLite assumes
 * ten rows per app and reads a million to find five; with `ANALYZE`, plans would change as tables grow. This way, each
 * plan is the one suited to a million rows, and tests see the same plans.
 */
interface TableStatistics {
  rows: number
  /** For each index: the number of rows with the same first column, the same first two columns, and so on. */
  indexes: Record<string, readonly number[]>
  /** Number of rows of a partial index, if it is far lower. */
  partial?: Record<string, number>
}

const app = 200_000

/** By table. `src/database/sqlite/planner-statistics.test.ts` reports an index that is missing here. */
export const plannerStatistics: Record<string, TableStatistics> = {
  licenses: {
    rows: 1_000_000,
    indexes: {
      licenses_app: [app],
      licenses_state: [app, 70_000],
      licenses_level: [app, 40_000],
      licenses_user: [app, 2],
      licenses_expiring: [app, 10],
      licenses_ends: [app, 10, 1, 1, 1],
      licenses_redeemed: [app, 10],
      licenses_created: [app, 10],
      licenses_key: [app, 1],
      licenses_reseller: [app, 5],
      licenses_reseller_list: [app, 20_000],
      licenses_reseller_use: [app, 20_000, 10_000, 2, 1],
      sqlite_autoindex_licenses_1: [app, 1],
    },
  },
  used_nonces: { rows: 100_000, indexes: { sqlite_autoindex_used_nonces_1: [1], used_nonces_age: [50] } },
  users: {
    rows: 1_000_000,
    indexes: {
      users_list: [app, 1, 1, 1, 1],
      users_access: [app, 190_000, 180_000, 10],
      users_machine: [app, 2],
      users_created: [app, 10],
      users_time_left: [app, 195_000, 10, 1, 1, 1],
      users_last_login: [app, 10, 1, 1, 1, 1],
      users_imported: [1000],
      sqlite_autoindex_users_1: [app, 1],
    },
    partial: { users_imported: 10_000 },
  },
  user_subscriptions: {
    rows: 1_000_000,
    indexes: {
      user_subscriptions_level: [app, 40_000, 1],
      user_subscriptions_license: [app, 1],
      user_subscriptions_shared: [app, 1],
      sqlite_autoindex_user_subscriptions_1: [app, 2, 1],
    },
  },
  user_variables: {
    rows: 1_000_000,
    indexes: { sqlite_autoindex_user_variables_1: [app, 5, 1], user_variables_value: [app, 40_000, 2] },
  },
  app_variables: { rows: 1_000_000, indexes: { sqlite_autoindex_app_variables_1: [app, 1] } },
  client_sessions: {
    rows: 1_000_000,
    indexes: {
      client_sessions_expiry: [10],
      client_sessions_list: [app, 10, 1],
      client_sessions_counts: [app, 10, 1, 1],
      client_sessions_device: [app, 2],
      client_sessions_user: [app, 5],
      client_sessions_license: [app, 5],
      client_sessions_handle: [app, 1],
      sqlite_autoindex_client_sessions_1: [app, 1],
    },
  },
  logs: {
    rows: 1_000_000,
    indexes: {
      logs_results: [app, 10, 1, 1],
      logs_username: [app, 100, 2],
      logs_license: [app, 100, 2],
      logs_hwid: [app, 100, 2],
      logs_ip: [app, 100, 2],
      logs_machine: [100, 2],
      logs_request: [20_000, 1],
    },
    partial: { logs_request: 100_000 },
  },
  log_retention: { rows: 100_000, indexes: { sqlite_autoindex_log_retention_1: [1] } },
  activity_hours: {
    rows: 1_000_000,
    indexes: { activity_hours_age: [500, 100], sqlite_autoindex_activity_hours_1: [app, 100, 50, 1] },
  },
  activity_users: {
    rows: 1_000_000,
    indexes: { activity_users_age: [500, 100], sqlite_autoindex_activity_users_1: [app, 100, 1] },
  },
  activity_last: {
    rows: 1_000_000,
    indexes: {
      activity_last_hour: [app, 100, 1],
      activity_last_age: [500, 100],
      sqlite_autoindex_activity_last_1: [app, 1],
    },
  },
  downloads: {
    rows: 200_000,
    indexes: {
      downloads_owner: [100],
      downloads_unfinished: [2],
      downloads_unscanned: [10],
      downloads_incomplete: [10],
      sqlite_autoindex_downloads_1: [1],
      sqlite_autoindex_downloads_2: [100, 1],
    },
    partial: { downloads_unfinished: 100, downloads_unscanned: 1000, downloads_incomplete: 1000 },
  },
  download_events: {
    rows: 1_000_000,
    indexes: { download_events_file: [app, 2000, 2], download_events_age: [10] },
  },
  download_progress: {
    rows: 100_000,
    indexes: { download_progress_age: [10], sqlite_autoindex_download_progress_1: [20_000, 100, 1] },
  },
  deleted_files: { rows: 100_000, indexes: { sqlite_autoindex_deleted_files_1: [1] } },
  job_lanes: {
    rows: 100_000,
    indexes: {
      job_lanes_due: [20_000, 10, 2],
      job_lanes_owner: [20_000, 10, 2, 1],
      sqlite_autoindex_job_lanes_1: [20_000, 1],
    },
  },
  jobs: { rows: 1_000_000, indexes: { jobs_waiting: [app, 1000, 10], jobs_failed: [10] } },
  alerts: {
    rows: 1_000_000,
    indexes: {
      alerts_new: [app, 1],
      alerts_fingerprint: [app, 5, 1],
      alerts_status: [app, 70_000, 5],
      alerts_time: [app, 5, 1],
      alerts_resolved: [app, 5],
      alerts_unreviewed: [app, 5],
      sqlite_autoindex_alerts_1: [app, 1],
    },
  },
  alert_thresholds: { rows: 100_000, indexes: { sqlite_autoindex_alert_thresholds_1: [18, 1] } },
  alert_scans: { rows: 100_000, indexes: { sqlite_autoindex_alert_scans_1: [1] } },
  audit: {
    rows: 1_000_000,
    indexes: {
      audit_owner: [app, 5],
      audit_owner_act: [app, 10_000, 5],
      audit_act: [50_000, 10],
      audit_actor: [10_000, 5],
      audit_ip: [10_000, 5],
      audit_owner_kind: [app, 50_000, 5],
      audit_kind: [200_000, 10],
      audit_app: [app, 5],
      audit_target: [10, 5],
      audit_time: [10],
      audit_resellers: [10_000, 5],
      audit_chain: [1],
    },
  },
  audit_targets: {
    rows: 1_000_000,
    indexes: { audit_targets_app: [app, 5, 1], sqlite_autoindex_audit_targets_1: [500, 1] },
  },
  audit_operations: {
    rows: 500_000,
    indexes: { audit_operations_app: [app, 3, 2], sqlite_autoindex_audit_operations_1: [1, 1] },
  },
  audit_head: { rows: 1, indexes: { sqlite_autoindex_audit_head_1: [1] } },
  search_changes: { rows: 1_000_000, indexes: { search_changes_app: [app, 1] } },
  accounts: {
    rows: 100_000,
    indexes: {
      accounts_admin: [10],
      accounts_plan_end: [2, 1],
      sqlite_autoindex_accounts_1: [1],
      sqlite_autoindex_accounts_2: [1],
      sqlite_autoindex_accounts_3: [1],
    },
    partial: { accounts_admin: 10 },
  },
  account_sessions: {
    rows: 100_000,
    indexes: {
      account_sessions_account: [10],
      account_sessions_expiry: [10],
      sqlite_autoindex_account_sessions_1: [1],
      sqlite_autoindex_account_sessions_2: [1],
    },
  },
  apps: {
    rows: 100_000,
    indexes: { apps_deleted: [2], sqlite_autoindex_apps_1: [1], sqlite_autoindex_apps_2: [10, 1] },
    partial: { apps_deleted: 10 },
  },
  app_signing_keys: {
    rows: 200_000,
    indexes: { sqlite_autoindex_app_signing_keys_1: [5, 1], sqlite_autoindex_app_signing_keys_2: [5, 1] },
  },
  app_replaced_keys: { rows: 1_000, indexes: { sqlite_autoindex_app_replaced_keys_1: [2, 1] } },
  subscriptions: { rows: 200_000, indexes: { sqlite_autoindex_subscriptions_1: [10, 1] } },
  license_counts: { rows: 200_000, indexes: { sqlite_autoindex_license_counts_1: [48, 3, 1] } },
  reseller_counts: { rows: 500_000, indexes: { sqlite_autoindex_reseller_counts_1: [100_000, 80, 16, 1] } },
  reseller_users: {
    rows: 1_000_000,
    indexes: {
      reseller_users_list: [app, 20_000, 1],
      reseller_users_user: [app, 1],
      sqlite_autoindex_reseller_users_1: [app, 20_000, 1],
    },
  },
  user_counts: { rows: 200_000, indexes: { sqlite_autoindex_user_counts_1: [48, 3, 1] } },
  seller_keys: { rows: 200_000, indexes: { seller_keys_id: [1], sqlite_autoindex_seller_keys_1: [20, 1] } },
  webhooks: { rows: 200_000, indexes: { sqlite_autoindex_webhooks_1: [10, 1] } },
  webhook_deliveries: {
    rows: 1_000_000,
    indexes: { webhook_deliveries_list: [app, 20_000, 1], webhook_deliveries_age: [10] },
  },
  preferences: { rows: 200_000, indexes: { preferences_account: [10, 1], preferences_reseller: [10, 1] } },
  saved_views: {
    rows: 1_000_000,
    indexes: {
      saved_views_account: [500, 50, 1],
      saved_views_reseller: [500, 50, 1],
      sqlite_autoindex_saved_views_1: [1],
    },
  },
  webhook_listeners: {
    rows: 1000,
    indexes: { webhook_listeners_followed: [2], sqlite_autoindex_webhook_listeners_1: [2, 1] },
  },
  webhook_listener_events: {
    rows: 1_000_000,
    indexes: { sqlite_autoindex_webhook_listener_events_1: [2000, 1000, 1] },
  },
  chat_notifications: { rows: 100_000, indexes: { sqlite_autoindex_chat_notifications_1: [1] } },
  recovery_codes: { rows: 200_000, indexes: { sqlite_autoindex_recovery_codes_1: [10, 1] } },
  login_failures: { rows: 100_000, indexes: { login_failures_age: [10, 5], sqlite_autoindex_login_failures_1: [1] } },
  pending_sign_ins: {
    rows: 10_000,
    indexes: { pending_sign_ins_account: [2], pending_sign_ins_expiry: [10], sqlite_autoindex_pending_sign_ins_1: [1] },
  },
  credit_accounts: { rows: 100_000, indexes: { sqlite_autoindex_credit_accounts_1: [1000, 3, 1] } },
  credit_transfers: {
    rows: 1_000_000,
    indexes: {
      credit_transfers_history: [app, 20_000, 1],
      credit_transfers_refund: [app, 1],
      sqlite_autoindex_credit_transfers_1: [1],
    },
  },
  resellers: {
    rows: 100_000,
    indexes: {
      resellers_list: [10_000, 10, 1],
      resellers_pending_email: [1],
      sqlite_autoindex_resellers_1: [1],
      sqlite_autoindex_resellers_2: [1],
      sqlite_autoindex_resellers_3: [1],
      sqlite_autoindex_resellers_4: [1],
    },
  },
  reseller_sessions: {
    rows: 100_000,
    indexes: {
      reseller_sessions_reseller: [10],
      reseller_sessions_expiry: [10],
      reseller_sessions_named: [1],
      sqlite_autoindex_reseller_sessions_1: [1],
    },
  },
  reseller_recovery_codes: { rows: 200_000, indexes: { sqlite_autoindex_reseller_recovery_codes_1: [10, 1] } },
  reseller_pending_sign_ins: {
    rows: 10_000,
    indexes: {
      reseller_pending_sign_ins_reseller: [2],
      reseller_pending_sign_ins_expiry: [10],
      sqlite_autoindex_reseller_pending_sign_ins_1: [1],
    },
  },
  reseller_apps: {
    rows: 100_000,
    indexes: { reseller_apps_reseller: [5, 1], sqlite_autoindex_reseller_apps_1: [1000, 1] },
  },
  reseller_domains: {
    rows: 10_000,
    indexes: { sqlite_autoindex_reseller_domains_1: [1], reseller_domains_proved: [1], reseller_domains_check: [10] },
  },
  password_resets: {
    rows: 10_000,
    indexes: {
      password_resets_subject: [2, 1],
      password_resets_age: [10],
      sqlite_autoindex_password_resets_1: [1],
    },
  },
  plan_notices: { rows: 100_000, indexes: { sqlite_autoindex_plan_notices_1: [3, 2, 1] } },
  setup_tokens: { rows: 1, indexes: { sqlite_autoindex_setup_tokens_1: [1] } },
  plans: { rows: 10, indexes: { sqlite_autoindex_plans_1: [1] } },
  backups: { rows: 10_000, indexes: { backups_finished: [1] } },
  platform_checks: { rows: 10, indexes: { sqlite_autoindex_platform_checks_1: [1] } },
  status_minutes: { rows: 20_000, indexes: { sqlite_autoindex_status_minutes_1: [8, 1] } },
  status_days: { rows: 1000, indexes: { sqlite_autoindex_status_days_1: [8, 1] } },
  platform_settings: { rows: 10, indexes: { sqlite_autoindex_platform_settings_1: [1] } },
  installation: { rows: 1, indexes: { sqlite_autoindex_installation_1: [1, 1] } },
  idempotent_replies: {
    rows: 1_000_000,
    indexes: { idempotent_replies_age: [10], sqlite_autoindex_idempotent_replies_1: [1000, 1] },
  },
  undo_operations: {
    rows: 10_000,
    indexes: {
      undo_operations_age: [10],
      undo_operations_app: [100],
      undo_operations_kept: [1],
      sqlite_autoindex_undo_operations_1: [1],
    },
    partial: { undo_operations_kept: 1000 },
  },
  undo_batches: { rows: 100_000, indexes: { sqlite_autoindex_undo_batches_1: [2000, 1] } },
  imports: {
    rows: 10_000,
    indexes: { imports_list: [100, 1], imports_age: [1], sqlite_autoindex_imports_1: [1] },
  },
  import_batches: { rows: 1_000_000, indexes: { sqlite_autoindex_import_batches_1: [200, 1] } },
  bin_items: {
    rows: 1_000_000,
    indexes: {
      bin_items_row: [app, 50_000, 1],
      bin_items_operation: [app, 500, 1],
      bin_items_list: [app, 10, 1],
      bin_items_age: [10],
      bin_items_key: [1],
      bin_items_kept: [200, 100, 10, 1, 1],
    },
    partial: { bin_items_key: 20_000, bin_items_kept: 20_000 },
  },
}

/**
 * Writes the statistics where SQLite reads them, if they are not there yet; other connections read them when they open.
 */
export function keepStatistics(connection: SqliteConnection): void {
  const { database } = connection
  const wanted = statisticsRows(connection)
  if (hasStatistics(connection) && JSON.stringify(storedRows(connection)) === JSON.stringify(wanted)) return
  database.exec('begin immediate')
  try {
    // Only analyzes this small table: that creates the table of statistics.
    database.exec('analyze platform_settings; delete from sqlite_stat1')
    for (const { tbl, idx, stat } of wanted) {
      connection.run('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)', [tbl, idx, stat])
    }
    database.exec('commit')
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
  database.exec('analyze sqlite_schema')
}

function statisticsRows(connection: SqliteConnection): Record<'tbl' | 'idx' | 'stat', string>[] {
  const { rows } = connection.run("select name from sqlite_schema where type = 'index'", [])
  const existing = new Set(rows.map(({ name }) => String(name)))
  return Object.entries(plannerStatistics)
    .flatMap(([tbl, { rows: count, indexes, partial = {} }]) =>
      Object.entries(indexes).map(([idx, equal]) => ({
        tbl,
        idx,
        stat: [partial[idx] ?? count, ...equal].join(' '),
      })),
    )
    .filter(({ idx }) => existing.has(idx))
    .toSorted((one, other) => (one.idx < other.idx ? -1 : 1))
}

const hasStatistics = (connection: SqliteConnection): boolean =>
  connection.run("select 1 from sqlite_schema where name = 'sqlite_stat1'", []).rows.length > 0

const storedRows = (connection: SqliteConnection) =>
  connection.run('select tbl, idx, stat from sqlite_stat1 order by idx', []).rows
