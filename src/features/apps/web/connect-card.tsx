import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { paths } from '#web/navigation/paths.ts'
import type { App } from '#web/session/session.ts'
import { Card } from '#web/ui/card.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import type { ProgramSettings } from './client-snippets.ts'
import { ClientTabs, useProgramSettings } from './client-tabs.tsx'
import { LastStart } from './last-start.tsx'

export function ConnectCard({ app }: { app: App }) {
  const settings = useProgramSettings(app)
  return (
    <Card>
      <section aria-labelledby="connect-title" className="px-4 pt-4 pb-3.5">
        <h2 id="connect-title" className="text-section font-semibold">{t`Connect your program`}</h2>
        <p className="mb-2 text-ui text-text-2">
          {t`Public keys only: safe to ship inside it.`}{' '}
          <Link
            to={paths.connect()}
            className="rounded-sm text-text underline decoration-line-strong underline-offset-2 hover:decoration-current"
          >{t`Try it with a test key`}</Link>
        </p>
        <ClientTabs settings={settings} />
        <ProgramValues settings={settings} />
      </section>
      <LastStart at={app.lastInitAt} />
    </Card>
  )
}

/** The values that a program in any other language needs (docs/protocol.md). */
function ProgramValues({ settings }: { settings: ProgramSettings }) {
  const values = [
    { name: t`Server address`, value: settings.serverUrl },
    { name: t`Owner ID`, value: settings.ownerId },
    { name: t`Verification key`, value: settings.verificationKey },
    { name: t`Sealing key`, value: settings.sealingKey },
  ]
  return (
    <dl className="mt-4 grid gap-x-4 gap-y-1 border-t border-line pt-3 text-ui sm:grid-cols-[max-content_minmax(0,1fr)]">
      {values.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="text-text-2 sm:py-1">{name}</dt>
          <dd className="flex min-w-0 items-center gap-1.5 pointer-coarse:min-h-11">
            <MachineText value={value} className="min-w-0 break-all text-text" />
            <CopyButton text={value} label={t`Copy ${name}`} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
