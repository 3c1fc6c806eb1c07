import { t } from '@lingui/core/macro'
import { useAccount } from '#web/session/use-account.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { DownloadTextButton } from '#web/ui/download-text-button.tsx'
import { ShownOnceDialog } from '#web/ui/shown-once.tsx'

interface RecoveryCodesDialogProps {
  codes: readonly string[]
  /** A sentence about what has just happened. */
  news: string
  onClose: () => void
}

/** Shows the recovery codes, once. */
export function RecoveryCodesDialog({ codes, news, onClose }: RecoveryCodesDialogProps) {
  const { username } = useAccount()
  const text = codes.join('\n')
  const use = t`Each of these codes signs you in once if you lose your phone. They are shown only now.`
  return (
    <ShownOnceDialog
      title={t`Your recovery codes`}
      description={`${news} ${use}`}
      size="sm"
      onClose={onClose}
      footer={<Button variant="primary" onClick={onClose}>{t`I have saved them`}</Button>}
    >
      <ul
        aria-label={t`Your recovery codes`}
        translate="no"
        className="machine grid justify-items-center gap-2 rounded-md border border-line bg-surface-0 p-3 min-[370px]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2.5 [&>button]:flex-1">
        <CopyButton labeled text={text} label={t`Copy all`} />
        <DownloadTextButton fileName={`recovery-codes-${username}`} text={`${text}\n`} />
      </div>
    </ShownOnceDialog>
  )
}
