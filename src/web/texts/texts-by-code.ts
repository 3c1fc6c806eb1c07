import type { MessageDescriptor } from '@lingui/core'
import type { Code } from '#contract/codes.ts'
import { accountsTexts } from '#features/accounts/web/accounts-texts.ts'
import { alertsTexts } from '#features/alerts/web/alerts-texts.ts'
import { adminTexts } from '#features/admin/web/admin-texts.ts'
import { appsTexts } from '#features/apps/web/apps-texts.ts'
import { profileTexts } from '#features/profile/web/profile-texts.ts'
import { licensesTexts } from '#features/licenses/web/licenses-texts.ts'
import { downloadsTexts } from '#features/downloads/web/downloads-texts.ts'
import { logsTexts } from '#features/logs/web/logs-texts.ts'
import { programSessionsTexts } from '#features/program-sessions/web/program-sessions-texts.ts'
import { resellerApiTexts } from '#features/reseller-api/web/reseller-api-texts.ts'
import { resellersTexts } from '#features/resellers/web/resellers-texts.ts'
import { sellerKeysTexts } from '#features/seller-keys/web/seller-keys-texts.ts'
import { subscriptionsTexts } from '#features/subscriptions/web/subscriptions-texts.ts'
import { usersTexts } from '#features/users/web/users-texts.ts'
import { variablesTexts } from '#features/variables/web/variables-texts.ts'
import { webhooksTexts } from '#features/webhooks/web/webhooks-texts.ts'
import { commonTexts } from './common-texts.ts'

/** Every code that a reply can carry, in the reader's language: the compiler finds one without a text. */
export const textsByCode: Record<Code, MessageDescriptor> = {
  ...commonTexts,
  ...accountsTexts,
  ...alertsTexts,
  ...adminTexts,
  ...appsTexts,
  ...profileTexts,
  ...licensesTexts,
  ...downloadsTexts,
  ...logsTexts,
  ...programSessionsTexts,
  ...resellersTexts,
  ...resellerApiTexts,
  ...sellerKeysTexts,
  ...subscriptionsTexts,
  ...usersTexts,
  ...variablesTexts,
  ...webhooksTexts,
}
