export interface ActivityHoursTable {
  app_id: string
  /** Hours since 1970. */
  hour: number
  /** Counts of rejected calls are stored as `refusal` since the first release. */
  metric: 'sign-in' | 'refusal'
  /** Error code of a rejection, or country of a sign-in. */
  label: string
  count: number
}

/** Users who signed in during an hour. */
export interface ActivityUsersTable {
  app_id: string
  hour: number
  username_key: string
}

/** The hour of each user's last sign-in. */
export type ActivityLastTable = ActivityUsersTable

/** A table with a single row. */
export interface ActivityProgressTable {
  id: number
  /** ID of the last counted log row. */
  counted_id: number
  /** ID of the last log row at the previous run. */
  seen_id: number
}

declare module '#database/schema.ts' {
  interface Schema {
    activity_hours: ActivityHoursTable
    activity_users: ActivityUsersTable
    activity_last: ActivityLastTable
    activity_progress: ActivityProgressTable
  }
}
