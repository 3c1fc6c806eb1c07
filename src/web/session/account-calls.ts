import { rememberSelectedApp, type SelectedApp, selectedAppStore } from '../api/app-selection.ts'
import { call } from '../api/call.ts'
import { type Account, knownAccount } from './session.ts'

/** Path prefix of the calls on the account itself. */
export const profileCalls = () => (knownAccount()?.role === 'reseller' ? '/reseller/profile' : '/profile')

/** Path prefix of calls that owners and resellers have each. */
export const areaOfCalls = () => (knownAccount()?.role === 'reseller' ? '/reseller' : '')

let choices = 0
let pendingChoices = 0

/** Whether a chosen app may be selected yet, so that choosing the current one again is a choice, too. */
export const isChoosingApp = (): boolean => pendingChoices > 0

/** Resolves with whether the app is selected: not if another one was chosen, linked to, or made before the answer. */
export async function selectApp(owner: Account, app: SelectedApp): Promise<boolean> {
  const choice = ++choices
  const before = selectedAppStore.get()?.appId
  const isLast = () => choice === choices && [undefined, before].includes(selectedAppStore.get()?.appId)
  pendingChoices += 1
  await call('POST /select_app', { body: { appName: app.appName }, appId: app.appId })
    .catch((error: unknown) => {
      if (isLast()) throw error
    })
    .finally(() => (pendingChoices -= 1))
  if (!isLast()) return false
  rememberSelectedApp(owner.ownerid, app)
  return true
}
