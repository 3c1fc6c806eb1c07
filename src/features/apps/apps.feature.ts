import type { Feature } from '#server/http/endpoint.ts'
import { appCalls } from './api/apps.ts'
import { replacedKeyCalls } from './api/replaced-keys.ts'
import { appsContract } from './apps.contract.ts'
import { startPurging } from './apps.purge.ts'
import { findSealedRootKey } from './app-keys.ts'
import { appOfActor } from './apps.identity.ts'

export const apps: Feature = {
  name: 'apps',
  contract: appsContract,
  endpoints: [...appCalls, ...replacedKeyCalls],
  identities: { app: appOfActor },
  sealedValue: findSealedRootKey,
  start: startPurging,
}
