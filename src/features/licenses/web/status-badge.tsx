import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { memo } from 'react'
import { Badge, type BadgeProps } from '#web/ui/badge.tsx'
import type { LicenseStatus } from '../licenses.rules.ts'

const looks = {
  unused: { tone: 'neutral', dot: 'ring', text: msg`Unused` },
  used: { tone: 'ok', dot: 'filled', text: msg`Used` },
  banned: { tone: 'danger', dot: 'slashed', text: msg`Banned` },
} satisfies Record<LicenseStatus, Omit<BadgeProps, 'children'> & { text: unknown }>

export const StatusBadge = memo(function StatusBadge({ status }: { status: LicenseStatus }) {
  const { tone, dot, text } = looks[status]
  return (
    <Badge tone={tone} dot={dot}>
      {i18n._(text)}
    </Badge>
  )
})
