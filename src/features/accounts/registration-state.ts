import type { RegistrationState } from '#server/http/endpoint.ts'
import type { Services } from '#server/services.ts'
import { hasAdmin } from './accounts.reads.ts'

/** Databases with an administrator, who stays: their pages need no query. */
const withAdmin = new WeakSet<Services['db']>()

/** What the page says of registering. Without an administrator it asks for the link of the first start (R-AUTH-13). */
export async function registrationState({ db, settings }: Services): Promise<RegistrationState> {
  if (!withAdmin.has(db)) {
    if (!(await hasAdmin(db.read))) return 'no-admin'
    withAdmin.add(db)
  }
  return settings.latest.platform.registrationEnabled ? 'open' : 'closed'
}
