import { t } from '@lingui/core/macro'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'
import { useDialog } from '#web/navigation/use-dialog.ts'
import { SessionsCard } from './sessions-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

const ChangePasswordDialog = lazyDialog(() => import('./change-password-dialog.tsx'), 'ChangePasswordDialog')
const TurnOnTwoFactorDialog = lazyDialog(() => import('./turn-on-two-factor-dialog.tsx'), 'TurnOnTwoFactorDialog')
const NewRecoveryCodesDialog = lazyDialog(() => import('./second-factor-dialogs.tsx'), 'NewRecoveryCodesDialog')
const TurnOffTwoFactorDialog = lazyDialog(() => import('./second-factor-dialogs.tsx'), 'TurnOffTwoFactorDialog')

/** Account security: sessions, password, second factor. */
export function SecurityCards({ onLogoutAll }: { onLogoutAll?: () => void }) {
  const { open, close, name } = useDialog()
  return (
    <>
      <SessionsCard onLogoutAll={onLogoutAll} />
      <Card>
        <Section
          title={t`Password`}
          description={t`Changing it ends all other sessions.`}
          actions={<Button onClick={() => open('password')}>{t`Change Password`}</Button>}
        />
      </Card>
      <TwoFactorCard
        onTurnOn={() => open('two-factor')}
        onTurnOff={() => open('two-factor-off')}
        onNewCodes={() => open('recovery-codes')}
      />
      {name === 'password' && <ChangePasswordDialog onClose={close} />}
      {name === 'two-factor' && <TurnOnTwoFactorDialog onNewCodes={() => open('recovery-codes')} onClose={close} />}
      {name === 'recovery-codes' && <NewRecoveryCodesDialog onClose={close} />}
      {name === 'two-factor-off' && <TurnOffTwoFactorDialog onClose={close} />}
    </>
  )
}
