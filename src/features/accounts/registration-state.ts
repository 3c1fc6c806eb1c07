import type { RegistrationState } from '#server/http/endpoint.ts'
import type { Services } from '#server/services.ts'
import { hasAdmin } from './accounts.reads.ts'

/** Databases known to have an administrator, which needs no further query. */
const withAdmin = new WeakSet<Services['db']>()

/**
 * The registration mode for the page. Without an administrator, registration requires the link of the first start.
 */
export async function registrationState({ db, settings }: Services): Promise<RegistrationState> {
  if (!withAdmin.has(db)) {
    if (!(await hasAdmin(db.read))) return 'no-admin'
    withAdmin.add(db)
  }
  return settings.latest.platform.registrationEnabled ? 'open' : 'closed'
}
