import type { Generated } from 'kysely'

export interface UserVariablesTable {
  app_id: string
  user_id: number
  name: string
  data: string
  created_at: number
  updated_at: number
}

/** Variables of an app, the same for all its users. */
export interface AppVariablesTable {
  id: Generated<number>
  app_id: string
  name: string
  data: string
  /** Whether only signed-in programs can read the variable. */
  authenticated: number
  created_at: number
  updated_at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    user_variables: UserVariablesTable
    app_variables: AppVariablesTable
  }
}
