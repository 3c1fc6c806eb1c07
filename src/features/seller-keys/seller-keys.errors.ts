import { bulkErrors } from '#contract/bulk.ts'

export const sellerKeysErrors = {
  SELLER_KEY_NOT_FOUND: { status: 404, message: 'Seller key not found' },
  NO_SELLER_KEYS_SELECTED: { status: 400, message: 'No seller keys selected' },
  ...bulkErrors,
  KEY_NAME_REQUIRED: { status: 400, message: 'Key name is required' },
  KEY_NAME_TOO_LONG: { status: 400, message: 'The key name can have at most {max} characters' },
  KEY_NAME_CHARACTERS: { status: 400, message: 'The key name can only contain visible characters' },
  SELLER_KEY_SCOPE_UNKNOWN: { status: 400, message: 'Unknown permission: {scope}' },
  IP_LIST_TOO_LONG: { status: 400, message: 'The IP list can have at most {max} entries' },
  IP_ENTRY_INVALID: {
    status: 400,
    message: '{entry} is not an IP address or a network such as 203.0.113.0/24',
  },
  OVERLAP_RANGE: { status: 400, message: 'The overlap can be 0 to 72 hours' },
} as const
