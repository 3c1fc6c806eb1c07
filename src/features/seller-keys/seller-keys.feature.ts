import type { Feature } from '#server/http/endpoint.ts'
import { bulkSellerKeys, undoSellerKeys } from './api/bulk-seller-keys.ts'
import { createSellerKey } from './api/create-seller-key.ts'
import { deleteSellerKey } from './api/delete-seller-key.ts'
import { listSellerKeys } from './api/list-seller-keys.ts'
import { rotateSellerKey } from './api/rotate-seller-key.ts'
import { toggleSellerKeyStatus } from './api/toggle-seller-key-status.ts'
import { updateSellerKey } from './api/update-seller-key.ts'
import { sellerKeysContract } from './seller-keys.contract.ts'
import { actorOfSellerKey, recordExposedKey } from './seller-keys.identity.ts'
import { redactSellerKeyAddresses } from './seller-keys.jobs.ts'

export const sellerKeys: Feature = {
  name: 'seller-keys',
  contract: sellerKeysContract,
  endpoints: [
    listSellerKeys,
    createSellerKey,
    updateSellerKey,
    toggleSellerKeyStatus,
    deleteSellerKey,
    rotateSellerKey,
    bulkSellerKeys,
    undoSellerKeys,
  ],
  jobs: { 'blank-seller-key-addresses': redactSellerKeyAddresses },
  identities: { sellerKey: actorOfSellerKey, exposedSellerKey: recordExposedKey },
}
