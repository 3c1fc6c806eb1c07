import type { Feature } from '#server/http/endpoint.ts'
import { bulkSellerKeys, undoSellerKeys } from './api/bulk-seller-keys.ts'
import { sellerKeyCalls } from './api/seller-keys.ts'
import { sellerKeysContract } from './seller-keys.contract.ts'
import { actorOfSellerKey, recordExposedKey } from './seller-keys.identity.ts'
import { redactSellerKeyAddresses } from './seller-keys.jobs.ts'

export const sellerKeys: Feature = {
  name: 'seller-keys',
  contract: sellerKeysContract,
  endpoints: [...sellerKeyCalls, bulkSellerKeys, undoSellerKeys],
  jobs: { 'blank-seller-key-addresses': redactSellerKeyAddresses },
  identities: { sellerKey: actorOfSellerKey, exposedSellerKey: recordExposedKey },
}
