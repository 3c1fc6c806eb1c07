import { countAll } from '#database/count-all.ts'
import { sql } from 'kysely'
import type { Reader } from '#database/database.ts'

/** Users who have a variable with exactly this value. */

interface VariableChoice {
  appId: string
  name: string
  value: string
}

/** The start of the value is what the index `user_variables_value` contains. */
const usersWith = (db: Reader, { appId, name, value }: VariableChoice) =>
  db
    .selectFrom('user_variables as variable')
    .innerJoin('users as user', (join) =>
      join.onRef('user.app_id', '=', 'variable.app_id').onRef('user.id', '=', 'variable.user_id'),
    )
    .where('variable.app_id', '=', appId)
    .where('variable.name', '=', name)
    .where(sql<boolean>`substr(variable.data, 1, 64) = substr(cast(${value} as text), 1, 64)`)
    .where('variable.data', '=', value)

export const countUsersWith = (db: Reader, choice: VariableChoice): Promise<number> => countAll(usersWith(db, choice))

/** One page, newest first. */
export const pageOfUsersWith = (
  db: Reader,
  { offset, limit, ...choice }: VariableChoice & { offset: number; limit: number },
) => usersWith(db, choice).selectAll('user').orderBy('user.id', 'desc').limit(limit).offset(offset)
