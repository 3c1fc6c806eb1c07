import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, RefreshCw } from 'lucide-react'
import type { App } from '#web/session/session.ts'
import { dateTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Section } from '#web/ui/section.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { replacedKeysQuery } from './replaced-keys-data.ts'

interface KeysSectionProps {
  app: App
  onReplace: () => void
  onRetire: () => void
}

/** The two public keys of the app, created by the server. They are read-only, and can be replaced. */
export function KeysSection({ app, onReplace, onRetire }: KeysSectionProps) {
  const { clientObfuscationKey, serverObfuscationKey } = app.settings
  return (
    <Section
      anchor="keys"
      title={t`Security Keys`}
      description={t`Public keys, not secrets: safe to ship inside your program.`}
    >
      <TextField
        layout="row"
        mono
        readOnly
        label={t`Client obfuscation key`}
        help={t`Seals what the program sends; the clients call it the sealing key`}
        value={clientObfuscationKey}
        suffix={<CopyButton text={clientObfuscationKey} label={t`Copy client obfuscation key`} />}
      />
      <TextField
        layout="row"
        mono
        readOnly
        label={t`Server obfuscation key`}
        help={t`Verifies the server's responses; the clients call it the verification key`}
        value={serverObfuscationKey}
        suffix={<CopyButton text={serverObfuscationKey} label={t`Copy server obfuscation key`} />}
      />
      <KeyAction
        text={t`If a backup of this server may have been stolen, replace the keys. Programs in use keep working.`}
        action={
          <Button icon={<RefreshCw />} onClick={onReplace}>
            {t`Replace keys`}
          </Button>
        }
      />
      <EarlierKeys app={app} onRetire={onRetire} />
    </Section>
  )
}

function EarlierKeys({ app, onRetire }: { app: App; onRetire: () => void }) {
  const { data } = useQuery(replacedKeysQuery(app.appId))
  const timeZone = useTimeZone()
  const last = data?.at(-1)
  if (last === undefined) return null
  const day = dateTimeText(last, timeZone)
  return (
    <KeyAction
      text={t`Replaced on ${day}. Programs with earlier keys still work.`}
      action={
        <Button variant="danger" icon={<KeyRound />} onClick={onRetire}>
          {t`Retire earlier keys`}
        </Button>
      }
    />
  )
}

const KeyAction = ({ text, action }: { text: string; action: React.ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-3">
    <p className="max-w-md text-ui text-text-2">{text}</p>
    {action}
  </div>
)
