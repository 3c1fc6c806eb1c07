import { t } from '@lingui/core/macro'
import { Badge } from './badge.tsx'

/** Of a call or an action that was not allowed. */
export const RejectedBadge = () => <Badge tone="danger" dot="slashed">{t`Rejected`}</Badge>
