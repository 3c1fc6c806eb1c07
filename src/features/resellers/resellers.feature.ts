import { addSignInKind } from '#features/accounts/sign-in-kinds.ts'
import { addCustomerBrand } from '#features/users/customer-brand.ts'
import type { Feature } from '#server/http/endpoint.ts'
import type { Services } from '#server/services.ts'
import { resellerCalls } from './api/resellers.ts'
import { resellerAppCalls } from './api/reseller-apps.ts'
import { creditCalls } from './api/reseller-credits.ts'
import { domainCalls } from './api/reseller-domain.ts'
import { checkDomainsJob } from './domain-checks.ts'
import { customerMailBrand } from './reseller-brand.ts'
import { resellerKind } from './reseller-kind.ts'
import { resellerDomainsContract } from './reseller-domains.contract.ts'
import { resellerLicensesContract } from './reseller-licenses.contract.ts'
import { cleanUpResellers } from './reseller-removal.actions.ts'
import { resellersContract } from './resellers.contract.ts'
import { appOfReseller, resellerOfToken } from './resellers.sign-in.ts'
import { verifyLedgerJob } from './verify-ledger.ts'

const cleanupMs = 600_000

/** Management of resellers, who sell licenses of an owner's apps for credits. Their own calls are in `reseller-api`. */
export const resellers: Feature = {
  name: 'resellers',
  contract: { ...resellersContract, ...resellerLicensesContract, ...resellerDomainsContract },
  endpoints: [...resellerCalls, ...resellerAppCalls, ...creditCalls, ...domainCalls],
  appTables: ['reseller_apps'],
  identities: { reseller: resellerOfToken, resellerApp: appOfReseller },
  jobs: { 'verify-ledger': verifyLedgerJob, 'check-domains': checkDomainsJob },
  start: async (services) => {
    addSignInKind(services, resellerKind)
    addCustomerBrand(services, customerMailBrand)
    const timer = setInterval(() => void cleanup(services), cleanupMs).unref()
    return async () => clearInterval(timer)
  },
}

async function cleanup(services: Services): Promise<void> {
  await cleanUpResellers(services.db).catch((error: unknown) =>
    services.log.error({ err: error }, 'could not clean up resellers'),
  )
}
