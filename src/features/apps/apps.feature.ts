import type { Feature } from '#server/http/endpoint.ts'
import { activeApp } from './api/active-app.ts'
import { createApp } from './api/create-app.ts'
import { deleteApp } from './api/delete-app.ts'
import { listApps } from './api/list-apps.ts'
import { replacedKeys, replaceKeys, retireKeys } from './api/replaced-keys.ts'
import { selectApp } from './api/select-app.ts'
import { ipDataStatus } from './api/ip-data-status.ts'
import { sslSha256 } from './api/ssl-sha256.ts'
import { updateApp } from './api/update-app.ts'
import { appsContract } from './apps.contract.ts'
import { startPurging } from './apps.purge.ts'
import { findSealedRootKey } from './app-keys.ts'
import { appOfActor } from './apps.identity.ts'

export const apps: Feature = {
  name: 'apps',
  contract: appsContract,
  endpoints: [
    listApps,
    selectApp,
    activeApp,
    createApp,
    updateApp,
    deleteApp,
    replacedKeys,
    replaceKeys,
    retireKeys,
    ipDataStatus,
    sslSha256,
  ],
  identities: { app: appOfActor },
  sealedValue: findSealedRootKey,
  start: startPurging,
}
