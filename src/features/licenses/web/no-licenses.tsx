import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useLevels } from './use-levels.ts'

/** First use. The title begins as part 1 §2 says; what comes first is a subscription, then keys. */
export function NoLicenses({ onCreate }: { onCreate: () => void }) {
  const navigate = useNavigate()
  const { options } = useLevels()
  const isFirstLevelMissing = options?.length === 0
  return (
    <EmptyState
      icon={<KeyRound />}
      title={t`No licenses found...`}
      actions={
        isFirstLevelMissing ? (
          <Button variant="primary" icon={<Plus />} onClick={() => void navigate({ to: paths.subscriptions() })}>
            {t`Create a subscription`}
          </Button>
        ) : (
          <Button variant="primary" icon={<Plus />} onClick={onCreate}>{t`Create your first licenses`}</Button>
        )
      }
    >
      {isFirstLevelMissing
        ? t`A license key opens a subscription level of your app. Create a level first, then keys for it.`
        : t`A license key lets one person into your app for as long as you decide. Create keys, hand them out or sell them; whoever redeems one shows up here.`}
    </EmptyState>
  )
}
