import type { Unit } from '#database/database.ts'
import { existingLicense, setLicensesBanned } from '#features/licenses/licenses.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { sellerLicensesContract } from '../seller-licenses.contract.ts'

type BanCall = typeof sellerLicensesContract.banLicense

async function setBanned(unit: Unit, context: CallContext<BanCall>, banned: boolean) {
  const { app, params } = context
  const license = await existingLicense(unit, app.id, params.license)
  await setLicensesBanned(unit, app.id, [license.id], banned)
  await recordAudit(unit, context, { act: banned ? 'license.ban' : 'license.unban', target: license.license })
  return { message: banned ? 'License banned successfully' : 'License unbanned successfully', banned }
}

export const banLicense = endpoint(sellerLicensesContract.banLicense, {
  unit: (unit, context) => setBanned(unit, context, true),
})

export const unbanLicense = endpoint(sellerLicensesContract.unbanLicense, {
  unit: (unit, context) => setBanned(unit, context as unknown as CallContext<BanCall>, false),
})
