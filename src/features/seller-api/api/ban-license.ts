import type { Tx } from '#database/database.ts'
import { lockLicense, setLicensesBanned } from '#features/licenses/licenses.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { sellerLicensesContract } from '../seller-licenses.contract.ts'

type BanCall = typeof sellerLicensesContract.banLicense

async function setBanned(tx: Tx, context: CallContext<BanCall>, banned: boolean) {
  const { app, params } = context
  const license = await lockLicense(tx, app.id, params.license)
  await setLicensesBanned(tx, app.id, [license.id], banned)
  await recordAudit(tx, context, { act: banned ? 'license.ban' : 'license.unban', target: license.license })
  return { message: banned ? 'License banned successfully' : 'License unbanned successfully', banned }
}

export const banLicense = endpoint(sellerLicensesContract.banLicense, {
  write: (tx, context) => setBanned(tx, context, true),
})

export const unbanLicense = endpoint(sellerLicensesContract.unbanLicense, {
  write: (tx, context) => setBanned(tx, context as unknown as CallContext<BanCall>, false),
})
