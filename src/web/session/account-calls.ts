import { rememberSelectedApp, type SelectedApp } from '../api/app-selection.ts'
import { call } from '../api/call.ts'
import { type Account, knownAccount } from './session.ts'

/** Path prefix of the calls on the account itself. */
export const profileCalls = () => (knownAccount()?.role === 'reseller' ? '/reseller/profile' : '/profile')

/** Path prefix of calls that owners and resellers have each. */
export const areaOfCalls = () => (knownAccount()?.role === 'reseller' ? '/reseller' : '')

export async function selectApp(owner: Account, app: SelectedApp) {
  await call('POST /select_app', { body: { appName: app.appName }, appId: app.appId })
  rememberSelectedApp(owner.ownerid, app)
}
