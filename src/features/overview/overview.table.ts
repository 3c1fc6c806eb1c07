export interface ActivityHoursTable {
  app_id: string
  /** Hours since 1970. */
  hour: number
  metric: 'sign-in' | 'refusal'
  /** The code of a refusal, the country of a sign-in. */
  label: string
  count: number
}

/** Who signed in during an hour. */
export interface ActivityUsersTable {
  app_id: string
  hour: number
  username_key: string
}

/** In which hour each of them came last. */
export type ActivityLastTable = ActivityUsersTable

/** One row. */
export interface ActivityProgressTable {
  id: number
  /** The last row of the log that is counted. */
  counted_id: number
  /** The last row that the log had in the run before. */
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
