import type { Engine } from '../../database.ts'
import { accounts } from './accounts.ts'
import { activity } from './activity.ts'
import { alerts } from './alerts.ts'
import { apps } from './apps.ts'
import { audit } from './audit.ts'
import { credits } from './credits.ts'
import { downloads } from './downloads.ts'
import { installation } from './installation.ts'
import { jobs } from './jobs.ts'
import { licenses } from './licenses.ts'
import { logs } from './logs.ts'
import { mail } from './mail.ts'
import { operations } from './operations.ts'
import { plans } from './plans.ts'
import { resellerCounts } from './reseller-counts.ts'
import { resellers } from './resellers.ts'
import { search } from './search.ts'
import { sellerKeys } from './seller-keys.ts'
import { sessions } from './sessions.ts'
import { status } from './status.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

/** Tables before those that refer to them. */
const subjects: readonly ((engine: Engine) => string)[] = [
  installation,
  search,
  accounts,
  plans,
  mail,
  audit,
  jobs,
  apps,
  operations,
  licenses,
  users,
  sessions,
  sellerKeys,
  logs,
  activity,
  alerts,
  downloads,
  webhooks,
  resellers,
  credits,
  resellerCounts,
  status,
]

/** All tables as the first release has them. It has landed and never changes. */
export const firstRelease = {
  name: 'first release',
  sql: (engine: Engine): string => subjects.map((subject) => subject(engine)).join(''),
}
