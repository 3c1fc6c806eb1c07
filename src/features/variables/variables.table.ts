export interface UserVariablesTable {
  app_id: string
  user_id: number
  name: string
  data: string
  created_at: number
  updated_at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    user_variables: UserVariablesTable
  }
}
