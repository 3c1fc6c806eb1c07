/** Every way a call of this feature is refused. */
export const sellerKeysRefusals = {
  SELLER_KEY_NOT_FOUND: { status: 404, message: 'Seller key not found' },
  SELLER_KEY_FORM_INVALID: { status: 400, message: '{problem}' },
  SELLER_KEY_SCOPE_UNKNOWN: { status: 400, message: 'Unknown permission: {scope}' },
  SELLER_KEY_IP_LIST_INVALID: { status: 400, message: '{problem}' },
  NO_SELLER_KEYS_SELECTED: { status: 400, message: 'No seller keys selected' },
  SELECTION_CHANGED: {
    status: 409,
    message: 'The list has changed: {count} seller keys match now. Please check again.',
  },
  KEY_NAME_REQUIRED: { status: 400, message: 'Key name is required' },
  OVERLAP_RANGE: { status: 400, message: 'The overlap can be 0 to 72 hours' },
} as const
