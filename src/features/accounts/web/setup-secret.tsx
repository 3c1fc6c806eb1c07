import { t } from '@lingui/core/macro'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface SetupSecretProps {
  /** `undefined` while loading. */
  setup: { secret: string; otpauthUrl: string } | undefined
}

/** The secret for an authenticator app: to scan, to type or, on a phone, to open. */
export function SetupSecret({ setup }: SetupSecretProps) {
  return (
    <div className="flex flex-col items-center gap-3">
      {setup ? (
        <QrCode text={setup.otpauthUrl} label={t`QR code of the secret`} />
      ) : (
        <Skeleton className="size-44 rounded-md" />
      )}
      <div className="text-center">
        <p className="text-meta text-text-2">{t`Or type this secret into the app`}</p>
        <div className="mt-1 flex min-h-8 items-center justify-center gap-2">
          {setup ? <GroupedSecret secret={setup.secret} /> : <Skeleton className="h-3 w-72" />}
          <CopyButton text={setup?.secret ?? ''} label={t`Copy secret`} />
        </div>
      </div>
      <p className="hidden min-h-11 content-center text-ui pointer-coarse:block">
        {setup && (
          <a
            className="text-accent-text underline underline-offset-2"
            href={setup.otpauthUrl}
          >{t`Open in an authenticator on this device`}</a>
        )}
      </p>
    </div>
  )
}

/** Displayed in groups of four; the copied text has no gaps. */
function GroupedSecret({ secret }: { secret: string }) {
  const groups = secret.match(/.{1,4}/g) ?? []
  return (
    <code translate="no" aria-label={t`Secret`} role="group" className="machine">
      {groups.map((group, index) => (
        <span key={index} className="mx-0.75 inline-block">
          {group}
        </span>
      ))}
    </code>
  )
}
