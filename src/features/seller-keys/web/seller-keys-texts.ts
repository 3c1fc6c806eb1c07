import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import { bulkTexts } from '#web/texts/common-texts.ts'
import type { sellerKeysContract } from '../seller-keys.contract.ts'

/** What the calls on seller keys answer, by code. */
export const sellerKeysTexts: Record<keyof CodesOf<typeof sellerKeysContract>, MessageDescriptor> = {
  SELECTION_CHANGED: bulkTexts.SELECTION_CHANGED,
  UNDO_NOT_FOUND: bulkTexts.UNDO_NOT_FOUND,
  SELLER_KEY_NOT_FOUND: msg`Seller key not found`,
  NO_SELLER_KEYS_SELECTED: msg`No seller keys selected`,
  KEY_NAME_REQUIRED: msg`Key name is required`,
  KEY_NAME_TOO_LONG: msg({ message: 'The key name can have at most {max} characters' }),
  KEY_NAME_CHARACTERS: msg`The key name can only contain visible characters`,
  SELLER_KEY_SCOPE_UNKNOWN: msg({ message: 'Unknown permission: {scope}' }),
  IP_LIST_TOO_LONG: msg({ message: 'The IP list can have at most {max} entries' }),
  IP_ENTRY_INVALID: msg({ message: '{entry} is not an IP address or a network such as 203.0.113.0/24' }),
  OVERLAP_RANGE: msg`The overlap can be 0 to 72 hours`,

  SELLER_KEY_CREATE_OK: msg`Seller key created successfully`,
  SELLER_KEY_UPDATE_OK: msg`Seller key updated successfully`,
  SELLER_KEY_ACTIVATE_OK: msg`Seller key activated successfully`,
  SELLER_KEY_PAUSE_OK: msg`Seller key paused successfully`,
  SELLER_KEY_DELETE_OK: msg`Seller key deleted successfully`,
  SELLER_KEY_ROTATE_OK: msg`Seller key rotated successfully`,
  SELLER_KEYS_BULK_OK: msg({ message: '{done} done, {failed} failed' }),
  SELLER_KEYS_UNDO_OK: msg({ message: '{restored} restored, {failed} changed since' }),
}
